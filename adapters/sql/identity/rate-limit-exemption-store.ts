import type { RateLimitExemption } from '../../../domain/identity/rate-limit-exemption.ts';
import type { RateLimitExemptionStore } from '../../../domain/identity/rate-limit-exemption-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findOne } from '../tables/find.ts';
import { RATE_LIMIT_EXEMPTIONS } from './rate-limit-exemption-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlRateLimitExemptionStore implements RateLimitExemptionStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(exemption: RateLimitExemption): Promise<void> {
    this.unit.insert(RATE_LIMIT_EXEMPTIONS, RATE_LIMIT_EXEMPTIONS.toRow(exemption));
  }

  lock(ownerId: Uuid): Promise<RateLimitExemption | null> {
    const sql = EXEMPTION_OF_OWNER + this.unit.dialect.forUpdate;
    return findOne(this.unit, RATE_LIMIT_EXEMPTIONS, sql, [uuidToSql(ownerId)]);
  }

  async delete(ownerId: Uuid): Promise<void> {
    await this.unit.run(`DELETE FROM rate_limit_exemptions${OF_OWNER}`, [uuidToSql(ownerId)]);
  }
}

export const OF_OWNER = ' WHERE owner_id = ?';
export const EXEMPTION_OF_OWNER = RATE_LIMIT_EXEMPTIONS.select + OF_OWNER;
