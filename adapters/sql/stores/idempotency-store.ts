import type {
  IdempotencyStore,
  KeptAnswer,
} from '../../../application/idempotency/idempotency-store.port.ts';
import { answerToRow, IDEMPOTENCY } from '../rows/idempotency-row.ts';
import type { UnitContext } from '../unit.ts';
import { booleanToSql, timeToSql } from '../values.ts';

export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(answer: KeptAnswer): Promise<void> {
    this.unit.insert(IDEMPOTENCY, answerToRow(answer));
  }

  /** @throws Error where there is no such row. */
  async replace(answer: KeptAnswer): Promise<void> {
    const changed = await this.unit.run(
      'UPDATE idempotency SET body_hash = ?, answer = ?, is_provisional = ?, created_at = ? WHERE scope = ?',
      [
        answer.bodyHash,
        answer.answer,
        booleanToSql(answer.isProvisional),
        timeToSql(answer.createdAt),
        answer.scope,
      ],
    );
    if (changed !== 1) throw new Error('there is no answer to replace');
  }
}
