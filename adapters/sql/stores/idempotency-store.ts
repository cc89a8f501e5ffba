import type {
  IdempotencyStore,
  KeptAnswer,
} from '../../../application/idempotency/idempotency-store.port.ts';
import { IDEMPOTENCY } from '../rows/idempotency-row.ts';
import type { RowChange } from '../session.ts';
import type { UnitContext } from '../unit.ts';

export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(answer: KeptAnswer): Promise<void> {
    this.unit.insert(IDEMPOTENCY, IDEMPOTENCY.toRow(answer));
  }

  /** @throws Error where there is no such row. */
  async replace(answer: KeptAnswer): Promise<void> {
    await this.unit.change({
      of: REPLACE,
      values: REPLACED.toRow(answer),
      where: [answer.scope],
      otherwise: 'there is no answer to replace',
    });
  }
}

const REPLACED = IDEMPOTENCY.only('fingerprint', 'answer', 'isProvisional', 'createdAt');
const REPLACE: RowChange = {
  table: IDEMPOTENCY.name,
  columns: REPLACED.columns,
  where: ['scope'],
};
