import type { KeptAnswer, OutgoingMessage } from '../../domain/federation/federation-store.port.ts';
import { readPeerEntry } from '../../domain/federation/peer-chain.ts';
import type { OpenedStatement } from '../../domain/federation/peer-statement.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import type { PeerAnswer, PeerRefusal } from '../../domain/federation/message.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { sha256Hex } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import { isOfFormerPeer } from '../../domain/record/federated-record.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { peerActor } from '../../domain/identity/caller.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import type { LockRecord } from '../record/lock-record.ts';
import type { Origin } from '../sealing/origin.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { EndOffer } from './end-offer.ts';
import type { FederatedEvents } from './federated-events.ts';
import type { LaneHead } from '../sharing/outgoing.port.ts';
import { unattested, type Attested, type PeerAttestations } from './peer-attestations.ts';
import { held, PEER_DETACHED, type RefuseMessage } from './refuse-message.ts';
import type { SealBeside } from '../sharing/seal-beside.ts';

/** Takes the peer's answer to a message of this hub. */
export class TakeAnswer {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly records: RecordReads,
    private readonly attestations: PeerAttestations,
    private readonly lockRecord: LockRecord,
    private readonly sealBeside: SealBeside,
    private readonly refuseMessage: RefuseMessage,
    private readonly endOffer: EndOffer,
    private readonly events: FederatedEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies the attestation, marks the message as answered and seals what follows from it: STEP_REFUSED on a mirror,
   * the end of a record whose offer was refused. An answer that was taken before changes nothing. `messages[]` is not
   * looked at: whoever calls hands each to its receiver, as what came in an answer.
   *
   * @param from the peer as it was when the message was sent to it.
   * @throws NotaryError UNPROCESSABLE where the attestation does not verify; the message does not count as delivered.
   */
  async execute(
    message: LaneHead,
    answer: PeerAnswer | PeerRefusal,
    requestId: string,
    from?: Pick<Peer, 'vaultRoot'>,
  ): Promise<void> {
    const found = await this.records.find(message.recordId);
    if (!found) throw payloadDrift(message.recordId, 'the record of a message');
    const attested = await this.attestations.opened(found.record, message, answer, from);
    const { isOffer, isOfChain } = attested;
    await this.unitOfWork.transaction(async (stores) => {
      // Of two that name one mirror at once, each would find it free. A unit that begins with this lock shares no transaction
      // with the other's, so the second one sees what the first one wrote.
      const isLocked = isOffer && isOfChain && (await stores.peers.lock(message.peerHubId));
      const record = await held(stores, this.lockRecord, found.record);
      const peer = isLocked || (await stores.peers.hold(message.peerHubId));
      assertActive(peer, record);
      await this.take(stores, record, message, answer, attested, requestId);
    });
  }

  private async take(
    stores: Stores,
    record: RecordState,
    lane: LaneHead,
    answer: PeerAnswer | PeerRefusal,
    { attestation, opened }: Attested,
    requestId: string,
  ): Promise<void> {
    const message = await stores.federation.outgoing(record.id, lane.sequence);
    if (!message) throw payloadDrift(record.id, 'the message that was answered');
    if (message.answer && !saysDetached(opened)) return;
    await this.attestations.assertAbout(stores, record, message, answer, opened);
    if (message.answer) return this.forgotten(stores, record, requestId);
    const kept: KeptAnswer = {
      // What was done stands in the attestation, also of an answer that is stale.
      outcome: opened.predicate['outcome'] === 'refused' ? 'refused' : 'applied',
      attestation,
      answeredAt: this.clock.now().toISOString(),
    };
    await stores.federation.answered(message.messageId, kept);
    if (await isSaidOtherwise(stores, record, message.sequence, attestation))
      return this.equivocated(stores, record, requestId);
    const origin = { actor: peerActor(message.peerHubId), requestId };
    if (opened.predicate['outcome'] === 'refused')
      await this.refused(stores, record, message, opened.predicate, origin);
    else await this.applied(stores, record, message, opened, origin);
  }

  private async applied(
    stores: Stores,
    record: RecordState,
    message: OutgoingMessage,
    { predicate }: OpenedStatement,
    origin: Origin,
  ): Promise<void> {
    if (record.federation?.role !== 'home') return;
    if (message.sequence === 1) await this.know(stores, record, predicate);
    const entry = await stores.chains.entryAt(record.id, message.position);
    if (!entry) throw payloadDrift(record.id, 'the entry of a message');
    if (message.route === 'signals')
      return this.events.signalAttested(stores, origin, record, entry, message.messageId);
    const said = readEntry(entry.coseSign1)?.predicate['transition'] as JsonObject | undefined;
    const to = said?.['to'];
    if ((to === 'FULFILLED' || to === 'REMEDIATED') && said?.['from'] !== to)
      await this.events.fulfilled(
        stores,
        origin,
        record,
        said!['from'] as RecordState['status'],
        entry,
        message.messageId,
      );
  }

  /** A peer that went back behind what it had attested says so once, at whichever message it was asked again. */
  private async forgotten(stores: Stores, record: RecordState, requestId: string): Promise<void> {
    if (record.federation!.detached !== null) return;
    await this.refuseMessage.detach(stores, record, requestId, 'peer_detached');
  }

  /** Both things that it said are kept: its answer, and the entry that came with a message. */
  private async equivocated(stores: Stores, record: RecordState, requestId: string): Promise<void> {
    if (record.federation!.detached !== null) return;
    await this.refuseMessage.detach(stores, record, requestId, 'equivocation');
  }

  /** The id of the mirror, which is shown. No two records of this hub have one mirror. */
  private async know(stores: Stores, record: RecordState, predicate: JsonObject): Promise<void> {
    const recordId = predicate['recordId'] as string;
    const other = await stores.federation.homeOf(record.federation!.peerHubId, recordId);
    if (other !== null && other !== record.id)
      throw unattested('it names the record that the peer keeps for another one of this hub');
    const federation = { ...record.federation!, recordId };
    await stores.records.update({ ...record, federation, version: record.version + 1 }, record);
  }

  private async refused(
    stores: Stores,
    record: RecordState,
    message: OutgoingMessage,
    predicate: JsonObject,
    { requestId }: Origin,
  ): Promise<void> {
    const code = wordOf(predicate['code']);
    // Of a message that was signed anew: that which the peer refused.
    const peer = { statementHash: String(predicate['statementHash']), code };
    const federation = record.federation!;
    if (federation.detached !== null) return;
    if (federation.role === 'mirror') {
      // One whose refusal is sealed waits no more, whatever its row says.
      if (federation.pendingStep?.sequence !== message.sequence) return;
      const said = await stores.chains.entryAt(record.id, message.position);
      const step = said && (readEntry(said.coseSign1)?.predicate['transition'] as JsonObject);
      await this.sealBeside
        .stepRefused(stores, record, requestId, String(step?.['action'] ?? 'view'), peer)
        .then(({ record: after }) =>
          code === PEER_DETACHED
            ? this.refuseMessage.detach(stores, after, requestId, 'peer_detached')
            : after,
        );
      return;
    }
    if (message.sequence === 1) return this.endOffer.end(stores, record, requestId, peer);
    await this.refuseMessage.detach(
      stores,
      record,
      requestId,
      code === PEER_DETACHED ? 'peer_detached' : 'refused_by_peer',
    );
  }
}

/**
 * An answer that comes after its peer was suspended is not taken: resumed, the peer is asked again and gives it again. The
 * peer is held as it is, so the answer stands or falls with it.
 */
const assertActive = (peer: Peer | null, { federation }: RecordState): void => {
  if (peer?.status !== 'ACTIVE') throw unattested('the peer is not ACTIVE any more');
  if (federation && federation.detached === null && isOfFormerPeer(federation, peer))
    throw unattested('the record was shared under a registration of the peer that ended');
};

/** More messages than come between a message and its answer. */
const MAX_HEARD = 256;

/**
 * A peer whose own entries, as they came with its messages, attest something else of the message, or have something else in the
 * place of its answer, said two things.
 */
const isSaidOtherwise = async (
  stores: Stores,
  { id, federation }: RecordState,
  sequence: number,
  attestation: Uint8Array,
): Promise<boolean> => {
  const heard = await stores.federation.incomingDown(id, federation!.received, MAX_HEARD);
  const said = sha256Hex(attestation);
  const place = readEntry(attestation)?.header.chain?.position;
  return heard
    .flatMap(({ entries }) => entries.map(readPeerEntry))
    .some(
      (entry) =>
        entry !== null &&
        entry.hash !== said &&
        (entry.position === place ||
          (entry.entryType === 'PEER_STATEMENT_ATTESTED' &&
            entry.predicate['sequence'] === sequence)),
    );
};

const saysDetached = ({ predicate }: OpenedStatement): boolean =>
  predicate['outcome'] === 'refused' && predicate['code'] === PEER_DETACHED;

/** What the peer calls its refusal: a word that an entry has room for, whatever it sent. */
const wordOf = (code: unknown): string =>
  typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'refused';
