import { ANSWER_LIFETIME_MS } from './rows/idempotency-row.ts';
import { placeholders, type Reader } from './session.ts';
import type { SqlUnitOfWork } from './unit-of-work.ts';

/** Rows in one transaction: few enough that it delays no other. */
const BATCH = 500;

/** Deletes expired rows. A job calls it; no answer depends on it. */
export class Housekeeping {
  constructor(
    private readonly unitOfWork: SqlUnitOfWork,
    private readonly reader: Reader,
    private readonly now: () => Date,
  ) {}

  /** Deletes kept answers older than 24 hours, at most `limit`, oldest first. Returns how many. */
  async deleteExpiredAnswers(limit = 10_000): Promise<number> {
    const expired = this.now().getTime() - ANSWER_LIFETIME_MS;
    let deleted = 0;
    while (deleted < limit) {
      const batch = Math.min(BATCH, limit - deleted);
      const scopes = await this.reader.all<{ readonly scope: Uint8Array }>(
        'SELECT scope FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?',
        [expired, batch],
      );
      if (scopes.length === 0) break;
      deleted += await this.unitOfWork.run((unit) =>
        unit.run(
          `DELETE FROM idempotency WHERE scope IN (${placeholders(scopes.length)}) AND created_at <= ?`,
          [...scopes.map(({ scope }) => scope), expired],
        ),
      );
      if (scopes.length < batch) break;
    }
    return deleted;
  }

  /** Deletes exchanged tokens that have expired and can no longer be replayed. Returns how many. */
  async deleteSpentTokens(limit = 10_000): Promise<number> {
    const now = this.now().getTime();
    let deleted = 0;
    while (deleted < limit) {
      const tokens = await this.reader.all<{ readonly token: Uint8Array }>(
        'SELECT token FROM spent_tokens WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
        [now, Math.min(BATCH, limit - deleted)],
      );
      if (tokens.length === 0) break;
      deleted += await this.unitOfWork.run((unit) =>
        unit.run(
          `DELETE FROM spent_tokens WHERE token IN (${placeholders(tokens.length)})`,
          tokens.map(({ token }) => token),
        ),
      );
    }
    return deleted;
  }

  /** Deletes the answer of one scope where it is no younger than `expired` (ms). */
  async forgetAnswer(scope: Uint8Array, expired: number): Promise<void> {
    await this.unitOfWork.run((unit) =>
      unit.run('DELETE FROM idempotency WHERE scope = ? AND created_at <= ?', [scope, expired]),
    );
  }
}
