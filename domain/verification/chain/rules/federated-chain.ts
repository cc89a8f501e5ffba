import { MAX_REFUSED_STEPS } from '../../../record/limits.ts';
import type { JsonObject } from '../../../kernel/canonical-json.ts';
import { stepsOf } from '../../../record/lifecycle-queries.ts';
import type {
  CounterAttestationPredicate,
  FederationClaim,
  RecordStatePredicate,
} from '../../../record/record-statement.ts';
import { mayAct } from '../../../record/sides.ts';
import { stepDepartures } from '../../../record/step-answer.ts';
import { actingOf, actorFault } from './acting.ts';
import { isTelling, ofStep } from './members-rule.ts';
import type { SealedRecord } from './sealed-record.ts';
import type { Fail } from './sealed-step.ts';

/** An entry of a federated record that leaves its state as it is. */
export type BesidePredicate = RecordStatePredicate | CounterAttestationPredicate;

/**
 * What the chain of a federated record says of its peer. A mirror follows home and decides nothing: what its own side does
 * is offered, one step at a time, and home's entries come by statements, each of which it attests.
 */
export class FederatedChain {
  /** The STEP_OFFERED that waits for home. */
  private pending: RecordStatePredicate | null = null;
  private offered = 0;
  private refused = 0;
  /** The highest sequence of the peer that was attested. */
  private attested = 0;
  private applied = 0;
  private fromPeer = 0;
  private equivocations = 0;
  /** Why the two hubs tell each other no more. */
  detached: string | null = null;

  constructor(readonly claim: FederationClaim) {}

  /** An entry that moves the record. */
  step(entry: RecordStatePredicate, fail: Fail): void {
    const { entryType, actor, transition, reason, peer } = entry;
    const { role } = this.claim;
    if (actor.kind === 'peer') {
      if (this.detached !== null) fail('a detached record follows its peer no more');
      if (role === 'mirror') this.follow(entry, fail);
      // An offer that the peer refused is attested on no chain.
      else if (peer && this.attested === 0) this.detached = 'offer_refused';
      else if (peer) fail('an offer is refused at home, before anything else is answered');
      else this.fromPeer++;
      return;
    }
    if (role === 'home' || OWN_OF_MIRROR.has(entryType)) return;
    if (entryType === 'RECORD_EXPIRED' && actor.kind === 'system' && reason === 'peer_revoked')
      return;
    fail(`a mirror follows its home: ${transition.action} comes from there, or is offered`);
  }

  /** What home carried out of its peer's steps names the step: nobody else speaks for the performer. */
  private follow(entry: RecordStatePredicate, fail: Fail): void {
    this.fromPeer++;
    if (!entry.peer) return;
    if (entry.peer.statementHash === undefined || entry.peer.code !== undefined)
      fail('an entry that carries out a step names its statement, and nothing else');
    if (!this.pending)
      return fail(`home carried out ${entry.transition.action}, which nobody offered`);
    const differing = stepDepartures(asJson(this.pending), asJson(entry));
    if (differing.length > 0)
      fail(`home carried out another step than was offered: ${differing.join(', ')} differ`);
    this.pending = null;
  }

  /** @param record as it stands; the entry leaves it so. */
  beside(entry: BesidePredicate, record: SealedRecord, fail: Fail, failActor: Fail): void {
    const fault = actorFault(entry.actor, record);
    if (fault) failActor(fault);
    if (isTelling(entry)) this.tell(entry, record, fail, failActor);
    else this.attest(entry, record, fail);
  }

  /** At the end of the chain. */
  end(fail: Fail): void {
    if (this.fromPeer > this.applied)
      fail(
        `the peer made ${this.fromPeer} entries, and ${this.applied} of its statements are attested as applied`,
      );
  }

  private tell(
    entry: RecordStatePredicate,
    record: SealedRecord,
    fail: Fail,
    failActor: Fail,
  ): void {
    const { entryType } = entry;
    const fault = ofStep(entry);
    if (fault !== null) fail(fault);
    if (entryType === 'RECORD_DETACHED') {
      if (this.detached !== null) fail('a record is detached once');
      if (entry.peer?.reason === undefined) fail('a record is detached for a reason');
      this.detached = entry.peer?.reason ?? '';
      return;
    }
    if (this.claim.role !== 'mirror') return fail(`an entry ${entryType} stands on a mirror alone`);
    if (entryType === 'STEP_OFFERED') return this.offer(entry, record, fail, failActor);
    if (++this.refused > this.offered) fail('a step is refused that nobody offered');
    this.pending = null;
    if (entry.peer?.statementHash === undefined) fail('a refusal names the statement and the code');
  }

  private offer(
    entry: RecordStatePredicate,
    record: SealedRecord,
    fail: Fail,
    failActor: Fail,
  ): void {
    const { transition, actor } = entry;
    const { action } = transition;
    if (this.detached !== null) fail('a detached record takes no step');
    if (this.pending !== null) fail('one step is offered at a time');
    if (this.refused >= MAX_REFUSED_STEPS)
      fail(`a mirror takes no step after ${MAX_REFUSED_STEPS} refused ones`);
    this.pending = entry;
    this.offered++;
    const steps = stepsOf(action, record.status, {
      pending: record.completionPending,
      counter: record.hasCounter,
    });
    if (steps.length === 0) fail(`the lifecycle knows no step "${action}" from ${record.status}`);
    const acting = actingOf(actor, record);
    const isOfDispute = record.disputed && action.endsWith('-dispute');
    const isEvidence = action === 'submit-dispute-evidence';
    if (
      !acting ||
      acting === 'system' ||
      !acting.sides.has('performer') ||
      (!isOfDispute && !isEvidence && !steps.some((step) => mayAct(step, acting, record)))
    )
      failActor(`${action} is not for ${actor.kind} to offer here`);
  }

  private attest(entry: CounterAttestationPredicate, record: SealedRecord, fail: Fail): void {
    const { sequence, outcome, code, entryType } = entry;
    if (entry.recordId !== record.id) fail('the attestation is of another record');
    if (entry.orgId === undefined) fail('an attestation on a chain names the org of its record');
    if (entry.peerHubId !== this.claim.peerHubId) fail('the attestation is about another hub');
    if ((outcome === 'refused') !== (code !== undefined))
      fail('a refusal has a code, and nothing else has');
    if (entryType === 'PEER_EQUIVOCATION') {
      if (++this.equivocations > 1) fail('an equivocation is sealed once');
      if (
        sequence > this.attested ||
        outcome !== 'refused' ||
        entry.otherHash === entry.statementHash
      )
        fail('an equivocation is a second statement of a known sequence, and is refused');
      return;
    }
    if (sequence !== this.attested + 1)
      fail(`the statement ${sequence} is attested after ${this.attested}`);
    this.attested = sequence;
    if (outcome === 'applied') this.applied++;
  }
}

const asJson = (entry: RecordStatePredicate): JsonObject => entry as unknown as JsonObject;

/** What the performer's side does on a mirror without asking: children of it live there. */
const OWN_OF_MIRROR: ReadonlySet<string> = new Set([
  'CHILD_DELEGATED',
  'CASCADE_VERIFIED',
  'REFERENCE_ADDED',
]);
