import type { Limits } from './life.ts';

/**
 * The rules that the explorer can break on purpose. All true is what the specification says (protocols.md 5), or what it
 * has to say where it is silent; one false must be found, or the explorer sees nothing.
 */
export const RULES = {
  /** "it follows home step by step and decides nothing, expiry included" */
  onlyHomeDecides: true,
  /** "Only the next one is applied. A later one: 409 SEQUENCE_GAP" */
  onlyTheNextIsApplied: true,
  /** "One lane for each record and direction, in order": a courtesy, for the receiver does not rely on it. */
  laneSendsInOrder: true,
  /** "A known one with equal payload: the first answer." */
  knownIsNotAppliedAgain: true,
  /** "Each applied message is one unit of work": effect, sequence and answer stand or fall together. */
  receivedInOneCommit: true,
  /** The change and the message that tells it are one unit of work. */
  changedInOneCommit: true,
  /** "a message counts as delivered only when [the attestation] verifies" */
  deliveredByAttestation: true,
  /** "One step at a time (409 STEP_PENDING)." */
  oneStepAtATime: true,
  /** "the mirror changes with home's next message": the attestation alone does not free the next step. */
  stepEndsWithHomesMessage: true,
  /** What ends it is a message whose `ack` covers it, not one that tells the same action: home may have acted itself. */
  stepEndsWithItsAck: true,
  /** A refused step uses its number up, and the next step has the next one. */
  stepNumbersAreUsedOnce: true,
  /** "A refused step is 422 …; the mirror seals it (STEP_REFUSED) and takes the next step." */
  refusalFreesTheStep: true,
  /** `ack`: "the peer's highest sequence applied", so that a refused step never looks applied. */
  ackCountsWhatWasApplied: true,
  /** `stale`: what counts is the attestation "which stands on the chain", with the outcome that it has. */
  staleTellsTheOutcome: true,
  /** "In time is what home received in time", and a record that ended is not moved by a step. */
  homeChecksTheStep: true,
  /** Silent: an offer refused after home ended the record by itself does not end it again. */
  refusedOfferEndsOnlyOpen: true,
  /** Silent ("judged anew"): a refused offer stays refused while a copy of the request can still arrive. */
  refusedOfferStaysRefused: true,
  /** Silent: after a refused offer there is no mirror, and home sends nothing more. */
  refusedOfferClosesTheLane: true,
  /** Silent: a detached record answers every new message with an attested refusal, which detaches the other side. */
  detachedAnswers: true,
  /** Silent: a detached home still delivers what it had told before, so that an applied step ends on the mirror. */
  detachedHomeFinishes: true,
  /** Silent: a pending step is asked again until home's message came, for home may have lost it with a backup. */
  pendingStepAsksAgain: true,
  /** Silent: a peer that lost the mirror with a backup may refuse the offer sent anew; that ends no record under way. */
  attestedOfferIsNotRefused: true,
  /** Silent: what detaches a mirror ends its pending step. */
  detachingEndsTheStep: true,
  /** "After an acknowledged rewind of a record's chain it is `detached`." */
  rewindDetaches: true,
  /** "Suspended: messages wait"; they are not thrown away. */
  suspendedWaits: true,
  /** Silent: home refuses an escalation that was made on another tier than the one there is. */
  escalationNamesItsTier: true,
};
export type Rules = Readonly<Record<keyof typeof RULES, boolean>>;

/** What a scene lets happen. Every number is how often. */
export interface Scene {
  readonly name: string;
  readonly start: 'offer' | 'active' | 'delivered' | 'fulfilled' | 'failed';
  readonly limits: Limits;
  /** Requests of one direction under way at once; two give reordering. */
  readonly inFlight: number;
  /** Home's answers to steps under way at once. */
  readonly answersInFlight: number;
  /** An answer to a step carries home's next messages. */
  readonly carries: boolean;
  readonly signals: boolean;
  /** Refused steps that a mirror takes before it takes none (32 in the product). */
  readonly maxRefused: number;
  /** First answers are forgotten, so that a repetition is answered `stale`. */
  readonly answersFade: boolean;
  readonly suspensions: number;
  readonly revocations: number;
  readonly restores: number;
  /** How often the peer changes its mind about offers (its agent is deactivated, reactivated). */
  readonly changesOfMind: number;
}
