import { contentFault, contentsNeeded } from '../../domain/federation/content.ts';
import type {
  MessageEnvelope,
  MessageRoute,
  SignalMessage,
  StateTransitionMessage,
} from '../../domain/federation/message.ts';
import {
  peerChainFault,
  readPeerEntry,
  type PeerEntry,
} from '../../domain/federation/peer-chain.ts';
import { openPeerStatement, payloadHashOf } from '../../domain/federation/peer-statement.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hashJson, sha256Hex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { repeatsSignal } from '../../domain/record/repeated-signal.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type { Carrier, SendingPeer } from '../sharing/peer-facts.ts';
import { keysOf } from './peer-keys.ts';
import type { PeerVaultKeys } from './peer-vault-keys.ts';
import type { PeerVaultKey } from '../../domain/federation/peer.ts';

/** A message whose statement the peer signed; its entries are still to be compared with its chain. */
export interface SignedMessage {
  readonly envelope: MessageEnvelope;
  /** Who was admitted with it. Asked again where something comes of it. */
  readonly from: SendingPeer;
  readonly route: MessageRoute;
  readonly statement: Uint8Array;
  /** The predicate of the statement. */
  readonly said: JsonObject;
  /** Lowercase hex. */
  readonly statementHash: string;
  readonly payloadHash: string;
  readonly entries: readonly Uint8Array[];
  /** Null of a signal. */
  readonly transition: StateTransitionMessage | null;
  readonly signal: SignalMessage | null;
}

/**
 * How far ahead of this hub's clock a peer may date what it signs. A chain never goes back behind its newest entry or its key, so a
 * hub whose clock was ahead and was set right dates as before until the time is there again. The time of the request itself
 * is signed by the hub key, and may differ by PEER_SKEW_SECONDS only.
 */
const MAX_AHEAD_MS = 86_400_000;

/** Verifies what a peer sends: first the statement, by which everything else is bound. */
export class VerifyMessage {
  constructor(
    private readonly keys: Pick<PeerVaultKeys, 'find' | 'secondsUntilAsked'>,
    private readonly clock: Clock,
  ) {}

  /** @throws UNPROCESSABLE where the statement does not verify, or the body says something else. */
  async transition(
    from: SendingPeer,
    message: StateTransitionMessage,
    carrier: Carrier,
  ): Promise<SignedMessage> {
    const { projection } = message;
    const { predicate, subjectDigest, signed } = await this.statement(
      from,
      message,
      'federation-projection',
      carrier,
    );
    if (!isSame(predicate, projection as unknown as JsonObject))
      throw unverified('projection is not the predicate of the statement');
    assertEqual('recordId', projection.recordId, message.recordId);
    assertEqual('originHubId', projection.originHubId, message.originHubId);
    assertEqual('toHubId', projection.toHubId, message.toHubId);
    assertEqual('sequence', projection.sequence, message.sequence);
    assertEqual('state', projection.state, message.state);
    assertEqual('headHash', subjectDigest, projection.headHash);
    return { ...signed, route: 'state-transitions', transition: message, signal: null };
  }

  /** The same of a signal. */
  async signal(
    from: SendingPeer,
    message: SignalMessage,
    carrier: Carrier,
  ): Promise<SignedMessage> {
    const { predicate, subjectDigest, signed } = await this.statement(
      from,
      message,
      'settlement-signal',
      carrier,
    );
    const { messageId: _, statement: __, entries: ___, ...members } = message;
    for (const [name, value] of Object.entries(members))
      if (!isSame(predicate[name], value))
        throw unverified(`${name} is not the one of the statement`);
    if (
      predicate['supersedes'] !== message.supersedes ||
      predicate['disputeId'] !== message.disputeId
    )
      throw unverified('the statement names more than the body');
    assertEqual('the subject', subjectDigest, hashJson(predicate));
    return { ...signed, route: 'signals', transition: null, signal: message };
  }

  private async statement(
    from: SendingPeer,
    envelope: MessageEnvelope,
    kind: 'federation-projection' | 'settlement-signal',
    carrier: Carrier,
  ) {
    const statement = bytesOf(envelope.statement);
    const entries = envelope.entries.map(bytesOf);
    const { hubId } = from;
    const expected = {
      hubId,
      typ: 'projection',
      kind,
      sub: envelope.recordId,
      takes: carrier === 'request' ? 'retired' : 'active',
    } as const;
    const opened = await openPeerStatement(statement, expected, (kid) => this.keyOf(from, kid));
    if (typeof opened === 'string') throw unverified(opened);
    if (opened.subjectName !== `record/${envelope.recordId}`)
      throw unverified('the statement is about another record');
    const { predicate, subjectDigest } = opened;
    this.assertDated('the statement', String(predicate['at']));
    const signed = {
      envelope,
      from,
      statement,
      said: predicate,
      statementHash: sha256Hex(statement),
      payloadHash: payloadHashOf(predicate),
      entries,
    };
    return { predicate, subjectDigest, signed };
  }

  /** What is dated later than a clock that was set right explains is signed for another time. */
  private assertDated(what: string, at: string): void {
    const latest = this.clock.now().getTime() + MAX_AHEAD_MS;
    if (Date.parse(at) > latest)
      throw unverified(`${what} is dated ${at}, and it is not that time yet`);
  }

  /**
   * A peer that rotated its vault key shows the new one when it is asked, at most once a minute: the message is to come
   * again, for a refusal without an attestation would stop its lane.
   */
  private async keyOf({ hubId, vaultRoot }: SendingPeer, keyId: string): Promise<PeerVaultKey> {
    const key = await this.keys.find(hubId, keyId, vaultRoot);
    if (key) return key;
    throw new NotaryError(
      'SERVICE_UNAVAILABLE',
      `The vault key ${keyId} of the peer is not known here yet.`,
      {
        retryAfter: Math.max(1, this.keys.secondsUntilAsked(hubId)),
        suggestion: 'Send the same message again after Retry-After seconds.',
      },
    );
  }

  /**
   * Whether the entries continue the peer's chain, whether the last one is what the statement is about, and whether all
   * contents have the hashes that it seals.
   *
   * @param before the peer's entries that were verified already, from its first one.
   * @returns the new entries; in words what is wrong, where something is.
   */
  async chain(
    from: SendingPeer,
    message: SignedMessage,
    before: readonly Uint8Array[],
    manifest: Manifest | null,
  ): Promise<readonly PeerEntry[] | string> {
    const entries: PeerEntry[] = [];
    for (const bytes of [...before, ...message.entries]) {
      const entry = readPeerEntry(bytes);
      if (!entry) return 'an entry cannot be read';
      entries.push(entry);
    }
    for (const { at, position } of entries.slice(before.length))
      this.assertDated(`the entry at position ${position}`, at);
    const keys = await keysOf(
      this.keys,
      from,
      entries.map(({ kid }) => kid),
    );
    const fault =
      (await peerChainFault(entries, {
        hubId: from.hubId,
        keys,
        manifest,
        known: before.length,
      })) ?? subjectFault(message, entries.at(-1)!);
    return fault ?? entries.slice(before.length);
  }
}

/** Whether the last entry is the one that the statement is about. */
const subjectFault = (message: SignedMessage, last: PeerEntry): string | null => {
  const { transition, signal, envelope, said } = message;
  if (signal)
    return last.entryType === 'SIGNAL_EMITTED' && repeatsSignal(said, last.predicate)
      ? null
      : 'the last entry is not the SIGNAL_EMITTED that the message repeats';
  const { projection, content } = transition!;
  if (last.position !== projection.position || last.hash !== projection.headHash)
    return 'the last entry is not the head that the projection names';
  const sealed = last.predicate['transition'] as JsonObject | undefined;
  if (sealed?.['action'] !== projection.action) return `the last entry is no ${projection.action}`;
  if (last.entryType !== 'STEP_OFFERED' && sealed['to'] !== projection.state)
    return `the last entry leads to ${JSON.stringify(sealed['to'])}`;
  return envelope.recordId === projection.recordId
    ? contentFault(contentsNeeded(projection.action, last.predicate), content.items)
    : 'the projection is of another record';
};

export const unverified = (detail: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', `The statement of the message does not verify: ${detail}.`, {
    reason: 'unverified',
    suggestion: 'Send the message as it was signed.',
  });

const assertEqual = (name: string, one: unknown, other: unknown): void => {
  if (one !== other) throw unverified(`${name} is not the one of the statement`);
};

const bytesOf = (text: string): Uint8Array => {
  const bytes = decodeBase64Strict(text);
  if (!bytes) throw unverified('it is no base64');
  return bytes;
};

const isSame = (one: JsonValue | undefined, other: JsonValue): boolean =>
  one !== undefined && canonicalJson(one) === canonicalJson(other);
