import type { Witness } from '../../../domain/identity/witness.ts';
import type { WitnessStore } from '../../../domain/identity/witness-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findOne } from '../tables/find.ts';
import { WITNESSES } from './witness-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlWitnessStore implements WitnessStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(witness: Witness): Promise<void> {
    this.unit.insert(WITNESSES, WITNESSES.toRow(witness));
  }

  lock(witnessKeyId: Uuid): Promise<Witness | null> {
    const sql = WITNESS_BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, WITNESSES, sql, [uuidToSql(witnessKeyId)]);
  }

  async delete(witnessKeyId: Uuid): Promise<void> {
    await this.unit.run('DELETE FROM witnesses WHERE id = ?', [uuidToSql(witnessKeyId)]);
  }
}

export const WITNESS_BY_ID = `${WITNESSES.select} WHERE id = ?`;
