import type {
  IdempotencyReads,
  KeptAnswer,
} from '../../../application/idempotency/idempotency-store.port.ts';
import { findOne } from '../rows/find.ts';
import { ANSWER_LIFETIME_MS, IDEMPOTENCY } from '../rows/idempotency-row.ts';
import type { Reader } from '../session.ts';
import { timeToSql } from '../values.ts';

export class SqlIdempotencyReads implements IdempotencyReads {
  /** @param forget deletes the answer of a scope if it is no younger than the given time, ms. */
  constructor(
    private readonly reader: Reader,
    private readonly forget: (scope: Uint8Array, expired: number) => Promise<void>,
    private readonly now: () => Date,
  ) {}

  /** An expired answer is deleted when it is found: the scope must be free for the new call. */
  async find(scope: Uint8Array): Promise<KeptAnswer | null> {
    const sql = `${IDEMPOTENCY.select} WHERE scope = ?`;
    const answer = await findOne(this.reader, IDEMPOTENCY, sql, [scope]);
    if (!answer) return null;
    const expired = this.now().getTime() - ANSWER_LIFETIME_MS;
    if (timeToSql(answer.createdAt) > expired) return answer;
    await this.forget(scope, expired);
    return null;
  }
}
