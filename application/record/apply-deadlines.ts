import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { PublicContext } from '../call/call-context.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import { DeadlinePassed } from './deadline-passed.ts';
import type { DeadlineRule } from './deadline-rule.ts';
import { withContents, type Contents, type LargeContents } from './large-contents.ts';
import type { LockRecord } from './lock-record.ts';

/** The call that came upon a passed deadline, or the job that looked for it. */
export type DeadlineCause = Pick<PublicContext, 'requestId' | 'span'>;

/** Makes the passed deadlines of a record take effect, each by the rule that knows it. */
export class ApplyDeadlines {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly lockRecord: LockRecord,
    private readonly largeContents: LargeContents,
    /** The first that is due is applied. */
    private readonly rules: readonly DeadlineRule[],
  ) {}

  areDue(record: NotaryRecord, now: Date): boolean {
    return this.ruleFor(record, now) !== undefined;
  }

  /** One unit of work for each deadline, since what takes effect may have a deadline that has passed as well. */
  async to(recordId: Uuid, cause: DeadlineCause): Promise<void> {
    while (await this.first(recordId, cause));
  }

  /** @returns false where nothing is due, or no longer. */
  private async first(recordId: Uuid, cause: DeadlineCause): Promise<boolean> {
    try {
      return await this.largeContents.whileNeeded((contents) =>
        this.unitOfWork.transaction(
          (stores) => this.applyFirst(stores, recordId, cause.requestId, contents),
          cause,
        ),
      );
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
      for (const child of error.recordIds) await this.to(child, cause);
      return true;
    }
  }

  private async applyFirst(
    stores: Stores,
    recordId: Uuid,
    requestId: string,
    contents: Contents,
  ): Promise<boolean> {
    const { record, now } = await this.lockRecord.row(stores, recordId);
    const rule = this.ruleFor(record, now);
    if (!rule) return false;
    const whole = new NotaryRecord(withContents(record.state, contents));
    await rule.apply(
      await this.lockRecord.prove(stores, whole, 'system', now.toISOString()),
      requestId,
    );
    return true;
  }

  private ruleFor(record: NotaryRecord, now: Date): DeadlineRule | undefined {
    return this.rules.find((rule) => rule.isDue(record, now));
  }
}
