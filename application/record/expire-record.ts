import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { ApplyChange } from './apply-change.ts';
import type { DeadlineRule } from './deadline-rule.ts';
import type { LockedRecord } from './locked-record.ts';

/** A record that is still open when its time is out expires. */
export class ExpireRecord implements DeadlineRule {
  constructor(private readonly applyChange: ApplyChange) {}

  isDue(record: NotaryRecord, now: Date): boolean {
    return record.passedDeadline(now) === 'expiry';
  }

  async apply(held: LockedRecord, requestId: string): Promise<void> {
    const { record, chain } = held;
    await this.applyChange.withParent(
      held,
      systemOrigin(requestId),
      record.expire(record.transitionFor('expire', 'system'), chain.at),
    );
  }
}
