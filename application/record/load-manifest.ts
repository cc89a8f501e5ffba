import { NotaryError } from '../../domain/kernel/errors.ts';
import { manifestDigest, type RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import type { SchemaRef } from '../../domain/vault/statement.ts';

/** Finds the manifest that a record pins. Its digest is in the signed chain, so an edited row does not pass. */
export class LoadManifest {
  private readonly checked = new WeakSet<RecordType>();

  constructor(private readonly reads: RecordTypeReads) {}

  /** @throws CONFLICT with reason payload_drift where the stored manifest is not the one that was sealed. */
  async execute(schema: SchemaRef): Promise<RecordType> {
    const rows = await this.reads.find(schema.orgId, schema.type);
    const row = rows.find((candidate) => candidate.version === schema.version && candidate.publisher === schema.publisher);
    if (!row || row.manifestDigest !== schema.manifestDigest || !this.isGenuine(row)) {
      throw new NotaryError('CONFLICT', `The stored manifest of ${schema.type} version ${schema.version} is not the one that this record was sealed with.`, { reason: 'payload_drift', suggestion: 'Tell the operator: the database was changed behind the service.' });
    }
    return row;
  }

  private isGenuine(row: RecordType): boolean {
    if (this.checked.has(row)) return true;
    if (manifestDigest(row.manifest) !== row.manifestDigest) return false;
    this.checked.add(row);
    return true;
  }
}
