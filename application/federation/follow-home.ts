import {
  completionJudged,
  completionSubmitted,
} from '../../domain/federation/mirrored-completion.ts';
import { disputeMoved, disputeOpened } from '../../domain/federation/mirrored-dispute.ts';
import { mirroredEventData } from '../../domain/federation/mirrored-event.ts';
import {
  mirrorMoved,
  peerClaim,
  sealedOf,
  transitionTaken,
  type HomeEntry,
} from '../../domain/federation/mirrored-record.ts';
import { contentOfKind } from '../../domain/federation/content.ts';
import { stateOf, type PeerEntry } from '../../domain/federation/peer-chain.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { STATEMENT_TOO_LONG } from '../../domain/vault/chain.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { peerActor } from '../../domain/identity/caller.ts';
import type { Dispute, DisputeEvidence } from '../../domain/dispute/dispute.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Reference } from '../../domain/record/reference.ts';
import { verifiedDispute } from '../dispute/verified-dispute.ts';
import type { ApplyChange } from '../record/apply-change.ts';
import { withContents, type LargeContents } from '../record/large-contents.ts';
import type { LockRecord } from '../record/lock-record.ts';
import type { LockedRecord } from '../record/locked-record.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import { DuplicateError } from '../ports/unit-of-work.port.ts';
import { BrokenWord, carriedOut } from './carried-out.ts';
import type { FederatedEvents } from './federated-events.ts';
import type { HomeFault } from './home-fault.ts';
import { assertStillNext } from './incoming-order.ts';
import { keep, type RefuseMessage } from './refuse-message.ts';
import type { SealBeside } from '../sharing/seal-beside.ts';
import { idTaken } from '../sharing/id-taken.ts';
import type { SignedMessage } from './verify-message.ts';

/** Applies home's messages on a mirror, each in one unit of work. It follows, and decides nothing. */
export class FollowHome {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lockRecord: LockRecord,
    private readonly largeContents: LargeContents,
    private readonly applyChange: ApplyChange,
    private readonly sealBeside: SealBeside,
    private readonly refuseMessage: RefuseMessage,
    private readonly events: FederatedEvents,
    private readonly ids: IdSource,
    private readonly homeFault: HomeFault,
  ) {}

  /**
   * @param seen the mirror as it is committed.
   * @param entries of the message, verified as the continuation of home's chain.
   * @param offer the projection of home's first message.
   */
  async follow(
    seen: RecordState,
    signed: SignedMessage,
    entries: readonly PeerEntry[],
    offer: JsonObject,
    requestId: string,
  ): Promise<PeerAnswer> {
    const predicate = stateOf(entries.at(-1)!);
    const fault = await this.homeFault.of(seen, signed, entries, offer);
    if (fault) return this.broken(seen, signed, requestId, fault);
    try {
      return await this.largeContents.whileNeeded((contents) =>
        this.unitOfWork.transaction(async (stores) => {
          const { record, now } = await this.lockRecord.row(stores, seen.id);
          const whole = new NotaryRecord(withContents(record.state, contents));
          const held = await this.lockRecord.prove(stores, whole, 'system', now.toISOString());
          assertStillNext(held.record.state.federation!, signed.envelope.sequence);
          return signed.signal
            ? this.received(held, signed, requestId)
            : this.apply(
                held,
                signed,
                {
                  predicate,
                  contents: signed.transition!.content.items,
                  carriesOut: await carriedOut(
                    stores,
                    held.record.state,
                    predicate,
                    signed.transition!.projection.ack,
                  ),
                },
                requestId,
              );
        }),
      );
    } catch (error) {
      if (error instanceof BrokenWord) return this.broken(seen, signed, requestId, error.message);
      if (error instanceof NotaryError && error.members.reason === STATEMENT_TOO_LONG)
        return this.broken(
          seen,
          signed,
          requestId,
          'what it says leaves no room to be sealed here',
        );
      if (!(error instanceof DuplicateError)) throw error;
      return this.broken(seen, signed, requestId, idTaken('row', signed.envelope.recordId).message);
    }
  }

  /** Every message of home is applied, or it breaks what home said before; then nothing more of it is believed. */
  broken(
    seen: RecordState,
    signed: SignedMessage,
    requestId: string,
    fault: string,
  ): Promise<never> {
    return this.refuseMessage.refuse(
      seen,
      signed,
      requestId,
      {
        code: 'BROKEN',
        detail: `The message does not continue what was said of the record: ${fault}.`,
        currentState: seen.status,
        attemptedState: signed.transition?.state ?? signed.signal?.outcome ?? null,
      },
      'broken',
    );
  }

  private async apply(
    held: LockedRecord,
    signed: SignedMessage,
    entry: HomeEntry,
    requestId: string,
  ): Promise<PeerAnswer> {
    const { stores, record } = held;
    const { state: before } = record;
    const origin = { actor: peerActor(before.federation!.peerHubId), requestId };
    const change = await this.changeOf(held, entry);
    const applied = await this.applyChange.withParent(held, origin, change);
    await this.events.applied(
      stores,
      origin,
      applied.change.after,
      before.status,
      applied.entry,
      signed.envelope.messageId,
    );
    return this.attested(stores, applied.change.after, signed, requestId);
  }

  /** A recommendation to whoever holds the money is home's alone: the mirror attests that it came. */
  private async received(
    { stores, record }: LockedRecord,
    signed: SignedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    const { state } = record;
    const origin = { actor: peerActor(state.federation!.peerHubId), requestId };
    const { record: after, entry } = await this.attest(stores, state, signed, requestId);
    await this.events.signalReceived(stores, origin, after, signed.signal!, entry);
    return this.answer(signed, entry.coseSign1);
  }

  private async attested(
    stores: Stores,
    record: RecordState,
    signed: SignedMessage,
    requestId: string,
  ): Promise<PeerAnswer> {
    const { entry } = await this.attest(stores, record, signed, requestId);
    return this.answer(signed, entry.coseSign1);
  }

  private async attest(
    stores: Stores,
    record: RecordState,
    signed: SignedMessage,
    requestId: string,
  ) {
    const beside = await this.sealBeside.attest(stores, record, requestId, {
      sequence: signed.envelope.sequence,
      statementHash: signed.statementHash,
      outcome: 'applied',
    });
    await keep(stores, beside.record, signed, beside.entry.coseSign1, beside.entry.at, null);
    return beside;
  }

  private answer(signed: SignedMessage, attestation: Uint8Array): PeerAnswer {
    return {
      messageId: signed.envelope.messageId,
      outcome: 'applied',
      attestation: encodeBase64(attestation),
    };
  }

  private async changeOf(held: LockedRecord, entry: HomeEntry): Promise<RecordChange> {
    const { record, chain } = held;
    const { predicate } = entry;
    const actor = peerActor(record.state.federation!.peerHubId);
    const after = mirrorMoved(record.state, entry, actor, chain.at);
    const completion = await this.completionOf(held, entry);
    const dispute = await this.disputeOf(held, entry, after);
    const reference =
      after.references.length > record.state.references.length
        ? (after.references.at(-1) as Reference)
        : undefined;
    if (reference) await held.stores.references.insert(reference, (chain.head?.position ?? 0) + 1);
    return {
      transition: transitionTaken(record.state, predicate)!,
      before: record.state,
      after,
      ...(completion ? { completion } : {}),
      ...(dispute ? { dispute } : {}),
      ...(reference ? { reference } : {}),
      sealed: { ...sealedOf(predicate), ...peerClaim(entry.carriesOut) },
      eventData: mirroredEventData(predicate, after, completion, dispute),
    };
  }

  private async completionOf(held: LockedRecord, { predicate, contents }: HomeEntry) {
    const { stores, record, chain, recordType } = held;
    const actor = peerActor(record.state.federation!.peerHubId);
    const given = { actor, at: chain.at, manifest: recordType.manifest };
    const evidence = contentOfKind(contents, 'evidence') as JsonObject | null;
    if (predicate.entryType === 'COMPLETION_SUBMITTED' && evidence) {
      const position = (chain.head?.position ?? 0) + 1;
      const made = completionSubmitted(record.state, predicate, evidence, { ...given, position });
      await stores.completions.insert(made);
      return made;
    }
    if (predicate.entryType !== 'GATE_EVALUATED' && predicate.entryType !== 'VERDICT_RENDERED')
      return undefined;
    const found = await stores.completions.find(predicate.completionId as string);
    if (!found) return undefined;
    const judged = completionJudged(found, predicate, given);
    await stores.completions.update(judged);
    return judged;
  }

  private async disputeOf(
    { stores, record, chain }: LockedRecord,
    { predicate, contents }: HomeEntry,
    after: RecordState,
  ): Promise<Dispute | undefined> {
    if (!predicate.entryType.startsWith('DISPUTE_')) return undefined;
    const content = contentOfKind(contents, 'dispute') as JsonObject | null;
    const given = {
      recordId: record.state.id,
      actor: peerActor(record.state.federation!.peerHubId),
      at: chain.at,
      pieceId: this.ids.next(),
    };
    if (predicate.entryType === 'DISPUTE_OPENED') {
      const opened = disputeOpened(predicate, content ?? {}, given);
      if (!opened) throw new TypeError('an opening without a side passed the rules of chains');
      await stores.disputes.insert(opened, after);
      return opened;
    }
    const before = await verifiedDispute(stores, record.state, chain);
    const dispute = disputeMoved(before, predicate, content, given);
    await stores.disputes.update(dispute);
    if (dispute.evidence.length > before.evidence.length)
      await stores.disputes.addEvidence(
        dispute.id,
        dispute.evidence.at(-1) as DisputeEvidence,
        dispute.evidence.length,
      );
    return dispute;
  }
}
