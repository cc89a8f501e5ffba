import type { RecordState } from '../../domain/record/record-state.ts';
import type { Manifest, RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { manifestDrift, type VerifiedTypes } from '../record-type/verified-types.ts';

/** Finds the record type that a record pins, and makes sure that the record still follows its manifest. */
export class LoadRecordType {
  constructor(
    private readonly reads: RecordTypeReads,
    private readonly verifiedTypes: VerifiedTypes,
  ) {}

  /** @throws CONFLICT with reason payload_drift where the manifest was edited, or the record's copies of its members. */
  async load(record: RecordState): Promise<RecordType> {
    const { schema } = record;
    const rows = await this.reads.find(schema.orgId, schema.type);
    const row = rows.find(
      (candidate) =>
        candidate.version === schema.version && candidate.publisher === schema.publisher,
    );
    if (!row || row.manifestDigest !== schema.manifestDigest || !follows(record, row.manifest))
      throw manifestDrift(schema);
    await this.verifiedTypes.assert(row);
    return row;
  }
}

/** What a record copies of its manifest. */
export type CopiedTerms = Pick<
  Manifest,
  | 'gateMode'
  | 'operatingMode'
  | 'cascade'
  | 'maxRevisions'
  | 'maxDisputes'
  | 'verdictWindowSeconds'
  | 'disputeWindowSeconds'
>;

/** Whether the copies that a record has of members of its manifest are those of this one. */
export const follows = (record: RecordState, manifest: CopiedTerms): boolean =>
  record.gateMode === manifest.gateMode &&
  record.operatingMode === manifest.operatingMode &&
  record.cascadeRule === manifest.cascade.rule &&
  record.maxRevisions === manifest.maxRevisions &&
  record.maxDisputes === manifest.maxDisputes &&
  record.verdictWindowSeconds === manifest.verdictWindowSeconds &&
  record.disputeWindowSeconds === manifest.disputeWindowSeconds;
