import type { RecordState } from '../../domain/record/record-state.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/seal-events.ts';
import type { Stores } from '../unit-of-work.port.ts';

type Predicate = Readonly<Record<string, unknown>>;

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
  let ending: Predicate | undefined;
  let disputes = 0;
  for await (const entry of entriesBehind(stores, chain)) {
    if (entry['entryType'] === 'DISPUTE_OPENED') disputes += 1;
    const { from, to } = (entry['transition'] ?? {}) as Predicate;
    if (from === to) continue;
    ending ??= entry;
    // Nobody can dispute a record before its first end.
    if (!ENDED.has(from)) break;
  }
  const differences = [
    ...(ending?.['at'] === record.terminalAt ? [] : ['terminalAt']),
    ...((ending?.['cancelledBy'] ?? null) === record.cancelledBy ? [] : ['cancelledBy']),
    ...(disputes === record.disputeCount ? [] : ['disputeCount']),
  ];
  if (differences.length > 0) throw payloadDrift(record.id, differences.join(', '));
};

const ENDED: ReadonlySet<unknown> = TERMINAL;
