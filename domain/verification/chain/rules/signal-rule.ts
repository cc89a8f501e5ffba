import type { ChainMemory, PastStep } from './chain-memory.ts';
import {
  disputableUntil,
  recommendationAfter,
  type Recommendation,
} from '../../../record/settlement.ts';
import { isDisputeStep } from '../../../record/dispute-facts.ts';
import { isTooEarly, type Fail, type SealedSignal } from './sealed-step.ts';

/** A signal follows from the step right before it, or from the end of the time in which an outcome can be disputed. */
export const checkSignal = (signal: SealedSignal, fail: Fail): void => {
  const { entry, before, memory } = signal;
  if (entry.actor.kind !== 'system' || Object.keys(entry.actor).length > 1)
    fail('a signal comes from the service itself');
  if (entry.recordId !== before.id) fail('the signal is about another record');
  if (entry.platformRef !== before.platformRef)
    fail('the signal names another platformRef than the record was created with');
  if (entry.performerAgentId !== before.performerAgentId)
    fail('the signal names another performer than the record');
  if (entry.outcome !== before.status) fail('the signal is on another outcome than the record has');
  if (OF_PROJECTIONS.some((member) => Object.hasOwn(entry, member)))
    fail('a signal for a peer has no place on a chain');
  if (memory.signalIds.has(entry.signalId)) fail('a signal is emitted once');
  const { latest } = memory;
  const expected = expectedAfter(latest);
  if (latest && expected) checkBesideStep(signal, latest, expected, fail);
  else checkRelease(signal, fail);
};

/** A step that moves money commits together with its signal, so nothing stands between them. */
export const checkSignalled = ({ latest }: ChainMemory, fail: Fail): void => {
  const owed = expectedAfter(latest);
  if (owed) fail(`no signal follows the step before, from which ${owed} follows`);
};

const expectedAfter = (latest: PastStep | null): Recommendation | null =>
  latest?.before ? recommendationAfter(changeOf(latest)) : null;

const OF_PROJECTIONS = ['originHubId', 'toHubId', 'sequence'] as const;

const changeOf = ({ before, after, entry }: PastStep) => ({
  before,
  after,
  transition: { entry: entry.entryType },
});

const checkBesideStep = (
  { entry, manifest }: SealedSignal,
  latest: PastStep,
  expected: string,
  fail: Fail,
): void => {
  // Until when an outcome can be disputed is for the manifest to say.
  const isOpen = !manifest && expected !== 'SETTLE' && entry.recommendation !== 'SETTLE';
  if (entry.recommendation !== expected && !isOpen)
    fail(`${expected} follows from the step before the signal, sealed is ${entry.recommendation}`);
  if (entry.at !== latest.entry.at || entry.requestId !== latest.entry.requestId)
    fail('the signal was not sealed with the step that it follows from');
  const disputeId = isDisputeStep(latest.entry.entryType) ? latest.entry.dispute?.id : undefined;
  if (entry.disputeId !== disputeId) fail('the signal names another dispute than caused it');
};

const checkRelease = ({ entry, before, manifest, memory }: SealedSignal, fail: Fail): void => {
  if (entry.recommendation !== 'RELEASE' || memory.recommendation !== 'HOLD' || before.disputed)
    return fail('nothing happened that the signal could follow from');
  if (entry.disputeId !== undefined) fail('no dispute caused the signal');
  const until = manifest && disputableUntil(before);
  if (manifest && until === null) fail('nobody could dispute this outcome');
  if (until && isTooEarly(entry.at, until))
    fail(`the outcome can be disputed until ${until}, and is held until then`);
};
