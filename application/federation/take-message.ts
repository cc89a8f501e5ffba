import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { MessageEnvelope, MessageRoute, PeerAnswer } from '../../domain/federation/message.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { sha256Hex } from '../../domain/kernel/digest.ts';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { isOfFormerPeer } from '../../domain/record/federated-record.ts';
import type { RecordReads } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import { readManifest } from '../../domain/verification/read/read-manifest.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import type { ConfirmAnswer } from './confirm-answer.ts';
import type { ApplyStep } from './apply-step.ts';
import type { DetachRecord } from './detach-record.ts';
import type { FollowHome } from './follow-home.ts';
import { answerAgain, assertInOrder, detachedRefusal, Overtaken } from './incoming-order.ts';
import type { OfferQuota } from './offer-quota.ts';
import type { OpenMirror } from './open-mirror.ts';
import type { SendingPeer } from '../sharing/peer-facts.ts';
import { PEER_DETACHED, type RefuseMessage } from './refuse-message.ts';
import type { SignedMessage, VerifyMessage } from './verify-message.ts';

interface ReceivedMessage {
  readonly envelope: MessageEnvelope;
  readonly route: MessageRoute;
  /** @throws UNPROCESSABLE where the statement does not verify. */
  readonly verified: () => Promise<SignedMessage>;
}

/** A message that somebody else processed meanwhile is looked at again so often. */
const MAX_TURNS = 3;

/** Takes a message whose statement the peer signed: in its order, once, and as a continuation of the peer's chain. */
export class TakeMessage {
  /** The newest message of each lane that this process works on. */
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly records: RecordReads,
    private readonly reads: FederationReads,
    private readonly loadRecordType: LoadRecordType,
    private readonly verify: VerifyMessage,
    private readonly openMirror: OpenMirror,
    private readonly followHome: FollowHome,
    private readonly applyStep: ApplyStep,
    private readonly refuseMessage: RefuseMessage,
    private readonly offers: Pick<OfferQuota, 'take'>,
    private readonly detachRecord: DetachRecord,
    private readonly confirm: ConfirmAnswer,
  ) {}

  /**
   * What home says comes twice, in an answer and by itself, often at the same moment: the second one waits here for the
   * answer to the first, instead of being verified for nothing.
   *
   * @param received its statement is verified where the message was not taken before.
   */
  take(peer: SendingPeer, received: ReceivedMessage, requestId: string): Promise<PeerAnswer> {
    const lane = `${peer.hubId} ${received.envelope.recordId}`;
    const before = this.underWay.get(lane);
    const taken = before
      ? before.then(() => this.next(peer, received, requestId))
      : this.next(peer, received, requestId);
    const end = taken.then(
      () => undefined,
      () => undefined,
    );
    this.underWay.set(lane, end);
    void end.then(() => this.underWay.get(lane) === end && this.underWay.delete(lane));
    return taken.then(
      (answer) => this.confirm.answer(answer),
      (error: unknown) => this.confirm.refusal(error),
    );
  }

  private async next(
    peer: SendingPeer,
    { envelope, route, verified }: ReceivedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    let record = await this.localOf(peer, envelope.recordId);
    const known = record && (await this.firstAnswer(record, peer, envelope, route));
    if (known) return known;
    const signed = await verified();
    for (let turn = 1; ; turn++) {
      try {
        if (turn > 1) record = await this.localOf(peer, envelope.recordId);
        return await this.once(record, peer, signed, requestId);
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        if (turn === MAX_TURNS)
          throw new NotaryError(
            'SERVICE_UNAVAILABLE',
            'The record is being changed by others at this moment.',
            { retryAfter: 1, suggestion: 'Send the same message again after Retry-After seconds.' },
          );
      }
    }
  }

  /** That to the very statement of a message that was taken: it was verified then. Null of every other one. */
  private async firstAnswer(
    { id, federation }: RecordState,
    peer: SendingPeer,
    { sequence, statement, messageId }: MessageEnvelope,
    route: MessageRoute,
  ): Promise<PeerAnswer | null> {
    if (sequence > federation!.received) return null;
    if (federation!.detached === null && isOfFormerPeer(federation!, peer)) return null;
    const known = await this.reads.incomingAt(id, sequence);
    return known?.route === route && encodeBase64(known.statement) === statement
      ? answerAgain(known, messageId)
      : null;
  }

  private async once(
    record: RecordState | null,
    peer: SendingPeer,
    signed: SignedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    if (!record) return this.offered(peer, signed, requestId);
    const federation = record.federation!;
    const { sequence } = signed.envelope;
    if (federation.detached === null && isOfFormerPeer(federation, peer)) {
      await this.detachRecord.detach(record.id, 'peer_revoked', requestId);
      throw new Overtaken();
    }
    if (sequence <= federation.received) return this.again(record, signed, requestId);
    if (federation.detached !== null) return this.detached(record, signed, requestId);
    assertInOrder(federation, sequence);
    // All that the peer sent of the record: read for the one message that goes on from there.
    const before = await this.reads.incomingOf(record.id);
    if (before.length !== federation.received) throw new Overtaken();
    const entries = await this.verify.chain(
      peer,
      signed,
      before.flatMap((message) => message.entries),
      await this.manifestOf(record),
    );
    const taking = federation.role === 'home' ? this.applyStep : this.followHome;
    // What is no chain is no evidence: the statement, which names it by its hash, is kept, and the refusal.
    if (typeof entries === 'string')
      return taking.broken(record, { ...signed, entries: [] }, requestId, entries);
    if (federation.role === 'home') return this.applyStep.apply(record, signed, entries, requestId);
    const offer = readEntry(before[0]!.statement)?.predicate ?? {};
    return this.followHome.follow(record, signed, entries, offer, requestId);
  }

  /** It is said once under seal; whoever goes on is told so without. */
  private async detached(
    record: RecordState,
    signed: SignedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    const { received, detached } = record.federation!;
    const last = await this.reads.incomingAt(record.id, received);
    if (last?.refusal?.code === PEER_DETACHED) throw detachedRefusal(detached!);
    assertInOrder(record.federation!, signed.envelope.sequence);
    return this.refuseMessage.detached(record, signed, requestId);
  }

  /** The offer is home's first message; nothing else begins a record here. */
  private async offered(
    peer: SendingPeer,
    signed: SignedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    assertInOrder({ received: 0 }, signed.envelope.sequence);
    if (!signed.transition) throw notFound('record');
    this.offers.take(peer.hubId);
    const { manifest } = signed.transition.content;
    if (signed.entries.length !== 1)
      return this.openMirror.open(peer, signed, 'an offer brings one entry', requestId);
    const entries = await this.verify.chain(
      peer,
      signed,
      [],
      manifest ? readManifest(manifest) : null,
    );
    return this.openMirror.open(peer, signed, entries, requestId);
  }

  private async again(
    record: RecordState,
    signed: SignedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    const { sequence, messageId } = signed.envelope;
    const known = await this.reads.incomingAt(record.id, sequence);
    if (!known) throw new Overtaken();
    if (known.payloadHash === signed.payloadHash && known.route === signed.route)
      return answerAgain(known, messageId);
    const { detached } = record.federation!;
    if (detached !== null) throw detachedRefusal(detached);
    return this.refuseMessage.equivocation(record, signed, requestId, sha256Hex(known.statement));
  }

  /** The mirror of a record of the peer, or the record here of which the peer has the mirror. */
  private async localOf(peer: SendingPeer, recordId: Uuid): Promise<RecordState | null> {
    const mirrorId = await this.reads.mirrorOf(peer.hubId, recordId);
    const found = await this.records.find(mirrorId ?? recordId);
    const federation = found?.record.federation;
    // The record says whom it follows; a row that says otherwise was edited.
    if (mirrorId && federation?.recordId !== recordId)
      throw payloadDrift(mirrorId, 'the record that a mirror follows');
    if (!federation || federation.peerHubId !== peer.hubId) return null;
    return federation.role === (mirrorId ? 'mirror' : 'home') ? found.record : null;
  }

  private async manifestOf(record: RecordState): Promise<Manifest> {
    return (await this.loadRecordType.load(record)).manifest;
  }
}

const isOvertaken = (error: unknown): boolean => error instanceof Overtaken;
