import type {
  IdempotencyReads,
  KeptAnswer,
} from '../../../application/idempotency/idempotency-store.port.ts';
import {
  ANSWER_LIFETIME,
  IDEMPOTENCY,
  rowToAnswer,
  type IdempotencyRow,
} from '../rows/idempotency-row.ts';
import { columnsOf, firstOf, type Reader } from '../session.ts';

export class SqlIdempotencyReads implements IdempotencyReads {
  /** @param forget deletes the answer of a scope if it is no younger than the given time, ms. */
  constructor(
    private readonly reader: Reader,
    private readonly forget: (scope: Uint8Array, expired: number) => Promise<void>,
    private readonly now: () => Date,
  ) {}

  /** An expired answer is deleted when it is met: the scope must be free for the call that asks. */
  async find(scope: Uint8Array): Promise<KeptAnswer | null> {
    const row = firstOf(
      await this.reader.all<IdempotencyRow>(
        `SELECT ${columnsOf(IDEMPOTENCY)} FROM idempotency WHERE scope = ?`,
        [scope],
      ),
    );
    if (!row) return null;
    const expired = this.now().getTime() - ANSWER_LIFETIME;
    if (row.created_at > expired) return rowToAnswer(row);
    await this.forget(scope, expired);
    return null;
  }
}
