import type {
  IdempotencyReads,
  KeptAnswer,
} from '../../../application/ports/idempotency-store.port.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { findOne } from '../tables/find.ts';
import { ANSWER_LIFETIME_MS, IDEMPOTENCY, scopeText } from './idempotency-row.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { timeToSql } from '../base/values.ts';

export class SqlIdempotencyReads implements IdempotencyReads {
  /** @param forget deletes the answer of a stored scope if it is no younger than the given time, ms. */
  constructor(
    private readonly reader: Reader,
    private readonly seals: RowSeals,
    private readonly forget: (storedScope: Uint8Array, expired: number) => Promise<void>,
    private readonly now: () => Date,
  ) {}

  /**
   * Looks under every key, because an answer stays for 24 hours when a new key is put before the one that sealed it. An
   * expired answer is deleted when it is found: the scope must be free for the new call.
   */
  async find(scope: Uint8Array): Promise<KeptAnswer | null> {
    const stored = this.seals.macs.everyMacOf(scopeText(scope));
    const sql = `${IDEMPOTENCY.select} WHERE scope IN (${placeholders(stored.length)})`;
    const answer = await findOne(this.reader, IDEMPOTENCY, sql, stored);
    if (!answer) return null;
    const expired = this.now().getTime() - ANSWER_LIFETIME_MS;
    if (timeToSql(answer.createdAt) > expired) return { ...answer, scope };
    await this.forget(answer.scope, expired);
    return null;
  }
}
