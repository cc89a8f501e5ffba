import { isDisputeOpening } from '../../domain/record/dispute-facts.ts';
import { isAfterEnd, type EntryFacts } from '../../domain/record/entry-facts.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../unit-of-work.port.ts';

/**
 * Holds what decides whether a record can be disputed against the whole chain: how it ended, when, by whom, and how many
 * disputes there were. The newest entry alone does not tell this.
 *
 * @throws CONFLICT with reason payload_drift where the row says something else.
 */
export const assertVerifiedOutcome = async (
  stores: Stores,
  record: RecordState,
  chain: OpenChain,
): Promise<void> => {
  let ending: EntryFacts | undefined;
  let disputes = 0;
  for await (const entry of entriesBehind(stores, chain)) {
    if (isDisputeOpening(entry.entryType)) disputes += 1;
    if (entry.transition?.from === entry.transition?.to) continue;
    ending ??= entry;
    // Nobody can dispute a record before its first end.
    if (!isAfterEnd(entry)) break;
  }
  const differences = [
    ...(ending?.at === record.terminalAt ? [] : ['terminalAt']),
    ...((ending?.cancelledBy ?? null) === record.cancelledBy ? [] : ['cancelledBy']),
    ...(disputes === record.disputeCount ? [] : ['disputeCount']),
  ];
  if (differences.length > 0) throw payloadDrift(record.id, differences.join(', '));
};
