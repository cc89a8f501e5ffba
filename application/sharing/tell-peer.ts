import { contentsOf } from '../../domain/federation/content.ts';
import { homeRecordId, isTold } from '../../domain/record/federated-record.ts';
import type { OutgoingMessage } from '../../domain/federation/federation-store.port.ts';
import type {
  MessageContent,
  MessageEnvelope,
  SignalMessage,
  StateTransitionMessage,
} from '../../domain/federation/message.ts';
import type { ProjectionPredicate } from '../../domain/federation/projection.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { hashJson, sha256Hex, toHex } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import { signStatement, type ChainEntry } from '../../domain/vault/chain.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { statement, withoutUndefined, type Statement } from '../../domain/vault/statement.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { assertFitsPeer } from './assert-fits-peer.ts';
import type { FederatedParties } from './federated-parties.ts';

/** Entries in one read. */
const PAGE = 64;

/** The record after a change, with the messages counted that tell the peer of it. */
export const counted = <Change extends RecordChange>(change: Change, signals: number): Change => {
  const { federation } = change.after;
  if (!federation || !isTold(federation)) return change;
  const sent = federation.sent + 1 + signals;
  return { ...change, after: { ...change.after, federation: { ...federation, sent } } };
};

/** The same of a signal that no action caused. */
export const countedSignal = (record: RecordState): RecordState =>
  record.federation && isTold(record.federation)
    ? { ...record, federation: { ...record.federation, sent: record.federation.sent + 1 } }
    : record;

/** Queues what the peer of a record is told, in the unit of work of what happened. Each message is signed once. */
export class TellPeer {
  constructor(
    private readonly vault: Vault,
    private readonly parties: FederatedParties,
    private readonly ids: IdSource,
    private readonly maxBytes: number,
  ) {}

  /**
   * Home tells of an entry that was appended, and of the signal that followed from it.
   *
   * @param change as `counted` gives it.
   * @param signalled the entry of the signal.
   * @param recordType of a record that comes into being: its manifest travels with the offer.
   * @throws UNPROCESSABLE where the content is longer in the message than a peer takes.
   */
  async changed(
    stores: Stores,
    change: RecordChange,
    entry: ChainEntry,
    signalled: ChainEntry | null,
    recordType: RecordType | null = null,
  ): Promise<void> {
    const { after, transition } = change;
    if (!isTold(after.federation)) return;
    const sequence = after.federation!.sent - (signalled ? 1 : 0);
    const sent = await this.transition(stores, after, {
      sequence,
      action: transition.action,
      state: after.status,
      entry,
      content: {
        ...(recordType ? { manifest: recordType.manifest as unknown as JsonObject } : {}),
        items: contentsOf(change),
      },
    });
    if (signalled) await this.signal(stores, after, sequence + 1, signalled, sent.position);
  }

  /** A signal that no action caused. @param record with the message counted. */
  async signalled(stores: Stores, record: RecordState, entry: ChainEntry): Promise<void> {
    if (!isTold(record.federation)) return;
    const { sent } = record.federation!;
    await this.signal(stores, record, sent, entry, await this.lastTold(stores, record, sent - 1));
  }

  /** The mirror asks home for a step. @param record with the message counted. @throws UNPROCESSABLE as `changed` does. */
  async stepOffered(
    stores: Stores,
    record: RecordState,
    change: RecordChange,
    entry: ChainEntry,
  ): Promise<OutgoingMessage> {
    return this.transition(stores, record, {
      sequence: record.federation!.sent,
      action: change.transition.action,
      state: change.after.status,
      entry,
      content: { items: contentsOf(change) },
    });
  }

  private async transition(
    stores: Stores,
    record: RecordState,
    told: Pick<ProjectionPredicate, 'sequence' | 'action' | 'state'> & {
      readonly entry: ChainEntry;
      readonly content: MessageContent;
    },
  ): Promise<OutgoingMessage> {
    const { sequence, action, state, entry, content } = told;
    const federation = record.federation!;
    const headHash = toHex(entry.hash);
    const projection: ProjectionPredicate = {
      at: entry.at,
      recordId: homeRecordId(record),
      originHubId: this.vault.hub.hubId,
      toHubId: federation.peerHubId,
      sequence,
      action,
      state,
      ...(await this.parties.of(stores, record)),
      position: entry.position,
      headHash,
      ack: federation.applied,
    };
    const signed = await this.sign(
      record,
      entry.at,
      statement(
        this.vault.hub.predicateBase,
        'federation-projection',
        `record/${projection.recordId}`,
        headHash,
        projection,
      ),
    );
    const from = await this.lastTold(stores, record, sequence - 1);
    const entries = await this.entriesAfter(stores, record.id, from, entry.position);
    return this.queue(stores, record, 'state-transitions', entry, signed, entries, sequence, {
      state,
      projection,
      content,
    });
  }

  private async signal(
    stores: Stores,
    record: RecordState,
    sequence: number,
    entry: ChainEntry,
    from: number,
  ): Promise<void> {
    const predicate = readEntry(entry.coseSign1)?.predicate;
    if (!predicate) throw payloadDrift(record.id, 'the entry of a signal');
    const federation = record.federation!;
    const told = withoutUndefined({
      ...predicate,
      originHubId: this.vault.hub.hubId,
      toHubId: federation.peerHubId,
      sequence,
    });
    const signed = await this.sign(
      record,
      entry.at,
      statement(
        this.vault.hub.predicateBase,
        'settlement-signal',
        `record/${record.id}`,
        hashJson(told),
        told,
      ),
    );
    const entries = await this.entriesAfter(stores, record.id, from, entry.position);
    await this.queue(
      stores,
      record,
      'signals',
      entry,
      signed,
      entries,
      sequence,
      signalOf(predicate),
    );
  }

  private sign(record: RecordState, at: string, signed: Statement): Promise<Uint8Array> {
    return signStatement(this.vault.seal, 'projection', homeRecordId(record), signed, at);
  }

  private async queue(
    stores: Stores,
    record: RecordState,
    route: OutgoingMessage['route'],
    entry: ChainEntry,
    signed: Uint8Array,
    entries: readonly Uint8Array[],
    sequence: number,
    members: TransitionMembers | SignalMembers,
  ): Promise<OutgoingMessage> {
    const messageId = this.ids.next();
    const { peerHubId } = record.federation!;
    const envelope: MessageEnvelope = {
      messageId,
      toHubId: peerHubId,
      recordId: homeRecordId(record),
      originHubId: this.vault.hub.hubId,
      sequence,
      statement: encodeBase64(signed),
      entries: entries.map((bytes) => encodeBase64(bytes)),
    };
    const body = new TextEncoder().encode(JSON.stringify({ ...envelope, ...members }));
    if ('content' in members) assertFitsPeer(body, members.content, this.maxBytes);
    const message: OutgoingMessage = {
      messageId,
      recordId: record.id,
      peerHubId,
      sequence,
      route,
      body,
      statementHash: sha256Hex(signed),
      former: [],
      position: entry.position,
      queuedAt: entry.at,
      answer: null,
    };
    await stores.federation.queue(message);
    return message;
  }

  /** The position up to which the peer was told; 0 before the first message. */
  private async lastTold(stores: Stores, record: RecordState, sequence: number): Promise<number> {
    if (sequence === 0) return 0;
    const last = await stores.federation.outgoing(record.id, sequence);
    if (!last) throw payloadDrift(record.id, 'a message to its peer is missing');
    return last.position;
  }

  /** This unit of work appended the last of them. */
  private async entriesAfter(
    stores: Stores,
    recordId: Uuid,
    from: number,
    to: number,
  ): Promise<readonly Uint8Array[]> {
    const entries: Uint8Array[] = [];
    for (let next = from + 1; next <= to; next = from + 1 + entries.length) {
      const page = await stores.chains.upFrom(recordChain(recordId), next, PAGE);
      const due = page.filter(({ position }) => position <= to);
      if (due.length === 0) throw payloadDrift(recordId, `the entry at position ${next}`);
      entries.push(...due.map(({ coseSign1 }) => coseSign1));
    }
    return entries;
  }
}

const SIGNAL_MEMBERS = [
  'signalId',
  'supersedes',
  'recommendation',
  'outcome',
  'performerAgentId',
  'platformRef',
  'disputeId',
] as const satisfies readonly (keyof SignalMessage)[];

type TransitionMembers = Omit<StateTransitionMessage, keyof MessageEnvelope>;
type SignalMembers = Partial<Record<(typeof SIGNAL_MEMBERS)[number], JsonValue>>;

const signalOf = (predicate: JsonObject): SignalMembers =>
  Object.fromEntries(
    SIGNAL_MEMBERS.flatMap((name) =>
      predicate[name] === undefined ? [] : [[name, predicate[name]]],
    ),
  );
