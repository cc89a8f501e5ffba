import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type {
  RecordTypeFilter,
  RecordTypeReads,
} from '../../domain/record-type/record-type-store.port.ts';
import type { SchemaLedger } from '../sealing/schema-ledger.ts';

/**
 * Record types with the status that their schema chain says, whatever the rows say. Whether the rest of a row is what was
 * registered, `VerifiedTypes` tells.
 */
export class SealedRecordTypes implements RecordTypeReads {
  constructor(
    private readonly rows: RecordTypeReads,
    private readonly ledger: Pick<SchemaLedger, 'now'>,
  ) {}

  async find(orgId: Uuid, type: string): Promise<readonly RecordType[]> {
    return this.sealed(await this.rows.find(orgId, type));
  }

  async list(filter: RecordTypeFilter, slice: SliceRequest): Promise<Slice<RecordType>> {
    const found = await this.rows.list(filter, slice);
    return { ...found, rows: await this.sealed(found.rows) };
  }

  activeNames(orgId: Uuid): Promise<readonly string[]> {
    return this.rows.activeNames(orgId);
  }

  published(publisher: string, type: string, version: number): Promise<RecordType | null> {
    return this.rows.published(publisher, type, version);
  }

  /** The chain is read after the rows, so it is never the older of the two. */
  private async sealed(rows: readonly RecordType[]): Promise<readonly RecordType[]> {
    const orgs = [...new Set(rows.map(({ orgId }) => orgId))];
    const facts = new Map(
      await Promise.all(orgs.map(async (orgId) => [orgId, await this.ledger.now(orgId)] as const)),
    );
    return rows.map((row) => {
      const status = facts.get(row.orgId)!.versionOf(row)?.status ?? row.status;
      return status === row.status ? row : { ...row, status };
    });
  }
}
