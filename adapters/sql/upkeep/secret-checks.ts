import type {
  SecretCheck,
  SecretCheckStore,
} from '../../../application/operations/secret-checks.port.ts';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { Database } from '../base/database.ts';
import { exists, findAll } from '../tables/find.ts';
import { SECRET_CHECKS } from './secret-check-row.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitRunner } from '../tables/unit-context.ts';

export class SqlSecretChecks implements SecretCheckStore {
  constructor(
    private readonly database: Pick<Database, 'writer'>,
    private readonly read: Reader,
    private readonly unitOfWork: UnitRunner,
  ) {}

  async isInUse(): Promise<boolean> {
    return (
      ((await this.hasTable('instance')) &&
        (await exists(this.read, 'SELECT 1 FROM instance', []))) ||
      (await this.load()).length > 0
    );
  }

  async load(): Promise<readonly SecretCheck[]> {
    if (!(await this.hasTable(SECRET_CHECKS.name))) return [];
    return findAll(this.read, SECRET_CHECKS, `${SECRET_CHECKS.select} ORDER BY generation`, []);
  }

  async add(checks: readonly SecretCheck[]): Promise<boolean> {
    try {
      await this.unitOfWork.run(async (unit) => {
        for (const check of checks) unit.insert(SECRET_CHECKS, SECRET_CHECKS.toRow(check));
      });
      return true;
    } catch (error) {
      if (error instanceof DuplicateError) return false;
      throw error;
    }
  }

  private hasTable(name: string): Promise<boolean> {
    return this.database.writer.schema.hasTable(name);
  }
}
