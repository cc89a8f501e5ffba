import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import { isMirror } from '../../domain/record/federated-record.ts';
import { keptType } from '../../domain/federation/offer.ts';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { readManifest } from '../../domain/verification/read/read-manifest.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import {
  manifestDigest,
  type Manifest,
  type RecordType,
} from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { manifestDrift, type VerifiedTypes } from '../record-type/verified-types.ts';

/** Manifests of mirrors that are remembered. */
const MAX_MIRRORS = 500;

/** Finds the record type that a record pins, and makes sure that the record still follows its manifest. */
export class LoadRecordType {
  private readonly mirrors = new BoundedCache<RecordType>(MAX_MIRRORS);

  constructor(
    private readonly reads: RecordTypeReads,
    private readonly verifiedTypes: VerifiedTypes,
    private readonly federation: Pick<FederationReads, 'mirror'>,
  ) {}

  /** @throws CONFLICT with reason payload_drift where the manifest was edited, or the record's copies of its members. */
  async load(record: RecordState): Promise<RecordType> {
    if (isMirror(record)) return this.kept(record);
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

  /** The manifest came with the offer of home: the chain of the mirror seals its digest. */
  private async kept(record: RecordState): Promise<RecordType> {
    const { schema } = record;
    const known = this.mirrors.get(record.id);
    if (known?.manifestDigest === schema.manifestDigest && follows(record, known.manifest))
      return known;
    const mirror = await this.federation.mirror(record.id);
    const manifest = mirror && readManifest(JSON.parse(mirror.manifest) as JsonObject);
    if (
      !manifest ||
      manifestDigest(manifest) !== schema.manifestDigest ||
      !follows(record, manifest)
    )
      throw manifestDrift(schema);
    const recordType = keptType(schema, manifest);
    this.mirrors.set(record.id, recordType);
    return recordType;
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
