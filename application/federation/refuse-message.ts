import {
  isOfFormerPeer,
  isSilenced,
  type DetachedReason,
} from '../../domain/record/federated-record.ts';
import type { KeptRefusal } from '../../domain/federation/federation-store.port.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { LockRecord } from '../record/lock-record.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import { notAdmitted } from './admit-peer.ts';
import { assertStillNext, Overtaken, refusalOf } from './incoming-order.ts';
import type { SendingPeer } from '../sharing/peer-facts.ts';
import type { SealBeside } from '../sharing/seal-beside.ts';
import type { SignedMessage } from './verify-message.ts';

/** Refuses a message of a peer under seal: the refusal stands on the record's chain, and the peer gets the entry. */
export class RefuseMessage {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lockRecord: LockRecord,
    private readonly sealBeside: SealBeside,
  ) {}

  /**
   * @param detaching why the record follows its peer no more; null where the peer may go on; 'detached' where it is so
   *   already.
   * @throws the refusal, always.
   */
  async refuse(
    seen: RecordState,
    signed: SignedMessage,
    requestId: string,
    refusal: KeptRefusal,
    detaching: DetachedReason | 'detached' | null,
  ): Promise<never> {
    throw await this.unitOfWork.transaction(async (stores) => {
      const record = await held(stores, this.lockRecord, seen);
      assertStillNext(record.federation!, signed.envelope.sequence, detaching === 'detached');
      const { record: attested, entry } = await this.sealBeside.attest(stores, record, requestId, {
        sequence: signed.envelope.sequence,
        statementHash: signed.statementHash,
        outcome: 'refused',
        code: refusal.code,
      });
      await keep(stores, attested, signed, entry.coseSign1, entry.at, refusal);
      if (detaching && detaching !== 'detached')
        await this.detach(stores, attested, requestId, detaching);
      return refusalOf({ attestation: entry.coseSign1, refusal });
    });
  }

  /**
   * Whoever sends to a record that is detached is told so under seal, so that its side ends as well. Nobody looks at the entries
   * of such a message, so none are kept.
   */
  detached(seen: RecordState, message: SignedMessage, requestId: string): Promise<never> {
    const signed: SignedMessage = { ...message, entries: [] };
    const refusal: KeptRefusal = {
      code: PEER_DETACHED,
      detail: `The record is detached from its peer (${seen.federation?.detached}); nothing more is taken of it.`,
      currentState: seen.status,
      attemptedState: signed.transition?.state ?? null,
    };
    return this.refuse(seen, signed, requestId, refusal, 'detached');
  }

  /** A second statement under a sequence that is taken: it is kept beside the first. @throws the refusal, always. */
  async equivocation(
    seen: RecordState,
    signed: SignedMessage,
    requestId: string,
    otherHash: string,
  ): Promise<never> {
    throw await this.unitOfWork.transaction(async (stores) => {
      const record = await held(stores, this.lockRecord, seen);
      if (record.federation?.detached !== null) throw new Overtaken();
      await stillAdmitted(stores, signed.from);
      const code = 'PEER_EQUIVOCATION';
      const refusal: KeptRefusal = {
        code,
        detail: `Two statements bear the sequence ${signed.envelope.sequence}; the record is detached.`,
        currentState: record.status,
        attemptedState: signed.transition?.state ?? null,
      };
      const { record: attested, entry } = await this.sealBeside.attest(
        stores,
        record,
        requestId,
        {
          sequence: signed.envelope.sequence,
          statementHash: signed.statementHash,
          outcome: 'refused',
          code,
          otherHash,
        },
        'PEER_EQUIVOCATION',
      );
      await stores.federation.equivocated(record.id, signed.envelope.sequence, {
        statement: signed.statement,
        attestation: entry.coseSign1,
      });
      await this.detach(stores, attested, requestId, 'equivocation');
      return refusalOf({ attestation: entry.coseSign1, refusal });
    });
  }

  async detach(
    stores: Stores,
    record: RecordState,
    requestId: string,
    reason: DetachedReason,
  ): Promise<RecordState> {
    const detached = await this.sealBeside.detached(stores, record, requestId, reason);
    // What was told before it is still good, but where the peer takes nothing more.
    if (isSilenced(reason)) await stores.federation.silence(record.id);
    return detached.record;
  }
}

/** The code by which a peer says that its record is detached. */
export const PEER_DETACHED = 'record_detached';

/** The record, locked and proven. */
export const held = async (
  stores: Stores,
  lockRecord: LockRecord,
  seen: RecordState,
): Promise<RecordState> => {
  const { record, now } = await lockRecord.row(stores, seen.id);
  const proven = await lockRecord.prove(
    stores,
    new NotaryRecord(record.state),
    'system',
    now.toISOString(),
  );
  return proven.record.state;
};

/**
 * The peer, held as it is. Whatever was under way while it was suspended, revoked, registered again or given another hub key is not
 * taken.
 *
 * @throws UNAUTHORIZED
 */
const stillAdmitted = async (
  stores: Stores,
  { hubId, generation, publicKeyThumbprint }: SendingPeer,
): Promise<Peer> => {
  const peer = await stores.peers.hold(hubId);
  if (peer?.status !== 'ACTIVE' || peer.generation !== generation)
    throw notAdmitted('inactive_peer');
  if (publicKeyThumbprint !== undefined && publicKeyThumbprint !== peer.publicKeyThumbprint)
    throw notAdmitted('signature');
  return peer;
};

/**
 * Keeps what was received and what was answered. Every unit of work that takes something of a peer does this, so here it
 * stands or falls with the peer.
 *
 * @throws UNAUTHORIZED where the peer is not ACTIVE.
 */
export const keep = async (
  stores: Stores,
  record: RecordState,
  signed: SignedMessage,
  attestation: Uint8Array,
  receivedAt: string,
  refusal: KeptRefusal | null,
): Promise<void> => {
  const peer = await stillAdmitted(stores, signed.from);
  if (record.federation!.detached === null && isOfFormerPeer(record.federation!, peer))
    throw new Overtaken();
  await stores.federation.keep({
    messageId: signed.envelope.messageId,
    recordId: record.id,
    peerHubId: record.federation!.peerHubId,
    sequence: signed.envelope.sequence,
    route: signed.route,
    statement: signed.statement,
    payloadHash: signed.payloadHash,
    entries: signed.entries,
    outcome: refusal ? 'refused' : 'applied',
    attestation,
    refusal,
    receivedAt,
    equivocation: null,
  });
};

/** What is kept of a refusal that a use case threw. */
export const keptRefusal = (
  { code, message, members }: NotaryError,
  record: RecordState,
  attemptedState: string | null,
): KeptRefusal => ({
  code: members.reason ?? code,
  detail: message,
  currentState: record.status,
  attemptedState,
});
