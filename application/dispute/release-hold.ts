import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import { disputableUntil, signalled } from '../../domain/record/settlement.ts';
import type { DeadlineRule } from '../record/deadline-rule.ts';
import type { LockedRecord } from '../record/locked-record.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { SealSignal } from '../sealing/seal-signal.ts';

/** When the window to dispute an outcome has closed, what was held until then is released. */
export class ReleaseHold implements DeadlineRule {
  constructor(
    private readonly sealSignal: SealSignal,
    private readonly ids: IdSource,
  ) {}

  isDue(record: NotaryRecord, now: Date): boolean {
    return record.passedDeadline(now) === 'hold';
  }

  async apply(held: LockedRecord, requestId: string): Promise<void> {
    const { stores, record, chain } = held;
    await assertVerifiedHold(held);
    const { record: after, signal } = signalled(
      record.released(chain.at),
      'RELEASE',
      this.ids.next(),
      null,
    );
    await stores.records.update(after);
    await this.sealSignal.seal(stores, chain, requestId, after, signal);
  }
}

/**
 * The settlement of a record is held until its outcome can no longer be disputed. The deadline is recomputed from
 * sealed data and must equal the row; and the newest signal on the chain must say HOLD.
 *
 * @throws CONFLICT with reason payload_drift where the row says something else.
 */
const assertVerifiedHold = async (held: LockedRecord): Promise<void> => {
  const { state } = held.record;
  if (
    state.disputeDeadline !== disputableUntil(state) ||
    (await newestRecommendation(held)) !== 'HOLD'
  )
    throw payloadDrift(state.id, 'disputeDeadline');
};

const newestRecommendation = async ({ stores, chain }: LockedRecord): Promise<JsonValue> => {
  for await (const { signal } of entriesBehind(stores, chain))
    if (signal) return signal.recommendation;
  return null;
};
