import { mirrorChainFault, type ToldMessage } from '../../domain/federation/mirror-chain-fault.ts';
import type {
  FederationReads,
  OutgoingMessage,
} from '../../domain/federation/federation-store.port.ts';
import type { FederatedParty } from '../../domain/federation/projection.ts';
import type { PeerAnswer, StateTransitionMessage } from '../../domain/federation/message.ts';
import { stateOf, type PeerEntry } from '../../domain/federation/peer-chain.ts';
import { decodeBase64Strict, encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { peerActor } from '../../domain/identity/caller.ts';
import type { RecordStatePredicate } from '../../domain/record/record-statement.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { stepDepartures } from '../../domain/record/step-answer.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import { DuplicateError } from '../ports/unit-of-work.port.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import { attestationFault } from './attestation-fault.ts';
import type { FederatedEvents } from './federated-events.ts';
import { assertStillNext } from './incoming-order.ts';
import { idOf, type PerformStep } from './perform-step.ts';
import type { PeerWords } from './peer-words.ts';
import { keep, keptRefusal, type RefuseMessage } from './refuse-message.ts';
import type { SealBeside } from '../sharing/seal-beside.ts';
import type { SignedMessage } from './verify-message.ts';

/** Applies at home what a mirror asks for, or refuses it under seal. */
export class ApplyStep {
  constructor(
    private readonly performStep: PerformStep,
    private readonly sealBeside: SealBeside,
    private readonly refuseMessage: RefuseMessage,
    private readonly events: FederatedEvents,
    private readonly reads: FederationReads,
    private readonly words: PeerWords,
  ) {}

  /** @param entries of the message, verified as the continuation of the mirror's chain. */
  async apply(
    seen: RecordState,
    signed: SignedMessage,
    entries: readonly PeerEntry[],
    requestId: string,
  ): Promise<PeerAnswer> {
    const message = signed.transition!;
    const predicate = stateOf(entries.at(-1)!);
    const fault = await this.faultOf(seen, signed, entries, predicate);
    if (fault) return this.broken(seen, signed, requestId, fault);
    const { sequence, messageId } = signed.envelope;
    let attestation: Uint8Array | null = null;
    try {
      this.words.assertForm({ predicate, contents: message.content.items });
      await this.performStep.perform(
        seen.federation!.peerHubId,
        seen.id,
        message,
        predicate,
        requestId,
        {
          id: idOf(predicate, message.projection.action),
          begin: (record) => {
            assertStillNext(record.federation!, sequence);
            return {
              ...record,
              federation: { ...record.federation!, received: sequence, applied: sequence },
            };
          },
          done: async (stores, record, sealed) => {
            assertAsOffered(predicate, sealed);
            const origin = { actor: peerActor(record.federation!.peerHubId), requestId };
            const { record: attested, entry } = await this.sealBeside.attest(
              stores,
              record,
              requestId,
              { sequence, statementHash: signed.statementHash, outcome: 'applied' },
            );
            attestation = entry.coseSign1;
            await keep(stores, attested, signed, entry.coseSign1, entry.at, null);
            await this.events.applied(stores, origin, attested, seen.status, entry, messageId);
          },
        },
      );
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      return this.refuseMessage.refuse(
        seen,
        signed,
        requestId,
        keptRefusal(refusal, seen, message.state),
        null,
      );
    }
    if (!attestation) throw new TypeError('the step was not attested');
    return { messageId, outcome: 'applied', attestation: encodeBase64(attestation) };
  }

  /** What cannot be the mirror's word is refused, and the record follows its peer no more. */
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
        attemptedState: signed.transition?.state ?? null,
      },
      'broken',
    );
  }

  private async faultOf(
    seen: RecordState,
    signed: SignedMessage,
    entries: readonly PeerEntry[],
    predicate: RecordStatePredicate,
  ): Promise<string | null> {
    if (signed.signal) return 'signals are of home alone';
    const { projection } = signed.transition!;
    const { federation } = seen;
    if (signed.transition!.content.manifest !== undefined)
      return 'it brings a manifest, and is no offer';
    if (predicate.entryType !== 'STEP_OFFERED') return 'its last entry is no STEP_OFFERED';
    if (projection.ack > federation!.sent) return 'it acknowledges what nobody sent';
    const { principal, performer } = projection;
    if (principal.agentId !== seen.principalAgentId || principal.orgId !== seen.orgId)
      return 'the principal is another one';
    if (!isPerformer(performer, seen) || predicate.performerAgentId !== seen.performerAgentId)
      return 'the performer is another one';
    const sent = await this.reads.outgoingOf(seen.id);
    if (!isOfAttestedOrg(sent, performer!)) return 'the performer has another org';
    const [first] = entries;
    if (first!.position === 1) {
      const claim = stateOf(first!).terms?.federation;
      if (claim?.role !== 'mirror' || claim.recordId !== seen.id)
        return 'its chain is not the one of a mirror of this record';
    }
    if (entries.slice(0, -1).some(({ entryType }) => entryType === 'STEP_OFFERED'))
      return 'it holds a step that came with no statement';
    return (
      attestationFault(sent, entries) ??
      mirrorChainFault(entries, (sequence) => toldIn(sent, sequence))
    );
  }
}

/** The peer named the performer's org when it attested the offer; a step may come before that answer. */
const isOfAttestedOrg = (
  [offer]: readonly OutgoingMessage[],
  { orgId }: FederatedParty,
): boolean => {
  const said = offer?.answer && readEntry(offer.answer.attestation)?.predicate['orgId'];
  return !said || said === orgId;
};

/** What a message of this hub told, by the last of its entries, which was sent as it stands on the chain. */
const toldIn = (sent: readonly OutgoingMessage[], sequence: number): ToldMessage | null => {
  const message = sent.find((one) => one.sequence === sequence);
  if (!message) return null;
  const { entries } = JSON.parse(new TextDecoder().decode(message.body)) as StateTransitionMessage;
  const bytes = decodeBase64Strict(entries.at(-1) ?? '');
  const predicate = bytes && readEntry(bytes)?.predicate;
  if (!predicate) throw payloadDrift(message.recordId, 'the entries of a message');
  return { isSignal: message.route === 'signals', predicate };
};

/**
 * The mirror's word and home's are compared by whoever verifies both: what home sealed is what was offered, or the step is
 * not taken.
 */
const assertAsOffered = (offered: RecordStatePredicate, { coseSign1 }: SealedEntry): void => {
  const sealed = readEntry(coseSign1)?.predicate;
  const departing = sealed && stepDepartures(offered as unknown as JsonObject, sealed);
  if (!departing || departing.length > 0)
    throw new NotaryError(
      'UNPROCESSABLE',
      `The step offers another act than home carries out: they differ in ${departing?.join(', ')}.`,
      { reason: 'BROKEN' },
    );
};

const isPerformer = (performer: FederatedParty | null, record: RecordState): boolean =>
  performer !== null &&
  performer.hubId === record.federation!.peerHubId &&
  performer.agentId === record.performerAgentId;

/** What a use case refuses is refused under seal; everything else is an answer of the moment, and is asked again. */
const refusalOf = (error: unknown): NotaryError | null => {
  if (error instanceof DuplicateError)
    return new NotaryError('UNPROCESSABLE', 'An id of the step is taken here.', {
      reason: 'id_taken',
    });
  if (!(error instanceof NotaryError)) return null;
  const { kind } = error.entry;
  return kind === 'unprocessable' || kind === 'forbidden' || kind === 'malformed' ? error : null;
};
