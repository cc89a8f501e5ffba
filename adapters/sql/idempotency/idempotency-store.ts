import type {
  IdempotencyStore,
  KeptAnswer,
} from '../../../application/ports/idempotency-store.port.ts';
import { IDEMPOTENCY, scopeText } from './idempotency-row.ts';
import type { RowChange, SqlValue } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(answer: KeptAnswer): Promise<void> {
    this.unit.insert(IDEMPOTENCY, this.rowOf(answer));
  }

  /** Replaces the whole row, so an edit of the earlier answer does not survive. @throws Error if there is no such row. */
  async replace(answer: KeptAnswer): Promise<void> {
    const [scope, ...values] = this.unit.seals.macs.seal(IDEMPOTENCY, this.rowOf(answer));
    await this.unit.change({
      of: REPLACE,
      values,
      where: [scope!],
      otherwise: 'there is no answer to replace',
    });
  }

  private rowOf(answer: KeptAnswer): readonly SqlValue[] {
    const { mac } = this.unit.seals.macs.sealText(scopeText(answer.scope));
    return IDEMPOTENCY.toRow({ ...answer, scope: mac });
  }
}

const REPLACE: RowChange = {
  table: IDEMPOTENCY.name,
  columns: IDEMPOTENCY.columns.slice(1),
  where: ['scope'],
};
