import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import {
  manifestDigest,
  type Manifest,
  type RecordType,
} from '../../../domain/record-type/manifest.ts';
import { isMirror } from '../../../domain/record/federated-record.ts';
import { readManifest } from '../../../domain/verification/read/read-manifest.ts';
import { follows, type CopiedTerms } from '../../record/load-record-type.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { StoredRow } from './scan-snapshot.port.ts';

interface ScannedType {
  readonly orgId: string;
  readonly name: string;
  readonly digest: string;
  /** Null where the stored manifest is not that of the digest. */
  readonly terms: CopiedTerms | null;
}

/** Of a row, or as an entry says, which may be of any form. */
type TypeName = { readonly [Member in 'publisher' | 'type' | 'version']?: unknown };

/** The rows of record types, for records to be compared with, and to be compared with the schema chains themselves. */
export class ScannedTypes {
  private readonly rows = new Map<string, ScannedType>();
  /** Digests as the schema chains say them; null: deleted. */
  private readonly sealed = new Map<string, JsonValue>();

  take({ value }: StoredRow<RecordType>): void {
    if (!value) return;
    const { orgId, manifest, manifestDigest: digest } = value;
    this.rows.set(keyOf(orgId, value), {
      orgId,
      name: `${value.publisher}/${value.type} version ${value.version}`,
      digest,
      terms: isOf(manifest, digest) ? termsOf(manifest) : null,
    });
  }

  /** The next entry of the schema chain of an org. */
  entry(orgId: string, predicate: JsonObject): void {
    const key = keyOf(orgId, predicate);
    const isDeleted = predicate['entryType'] === 'SCHEMA_DELETED';
    this.sealed.set(key, isDeleted ? null : (predicate['manifestDigest'] ?? null));
  }

  /**
   * What of a record is not as the manifest says whose digest it pins.
   *
   * @param kept of a mirror: the manifest that came with it. No schema chain of this hub registers that.
   */
  faultOf(record: RecordState, kept: string | null): string | null {
    const { schema } = record;
    if (isMirror(record)) return faultOfKept(record, kept);
    const row = this.rows.get(keyOf(schema.orgId, schema));
    if (row?.digest !== schema.manifestDigest) return 'the record type that it pins is not stored';
    if (!row.terms) return null;
    return follows(record, row.terms) ? null : 'its copies of members of its manifest';
  }

  /** Compares each row with what its org registered. @param faultsOf the schema chain of an org. */
  compare(faultsOf: (orgId: string) => ChainFaults): void {
    for (const [key, { orgId, name, digest, terms }] of this.rows) {
      if (this.sealed.get(key) !== digest)
        faultsOf(orgId).drift(`record_types ${name}: no entry registers it with this digest`);
      if (!terms) faultsOf(orgId).drift(`record_types ${name}: the manifest has another digest`);
    }
    for (const [key, digest] of this.sealed)
      if (digest !== null && !this.rows.has(key)) {
        const [orgId, ...name] = JSON.parse(key) as readonly string[];
        faultsOf(String(orgId)).drift(`record_types ${name.join('/')}: the row is missing`);
      }
  }
}

const faultOfKept = (record: RecordState, kept: string | null): string | null => {
  const manifest = kept === null ? null : parsed(kept);
  if (!manifest || !isOf(manifest, record.schema.manifestDigest))
    return 'the manifest that it pins is not kept with it';
  return follows(record, termsOf(manifest)) ? null : 'its copies of members of its manifest';
};

/** Null where the text is no manifest: somebody may have written anything there. */
const parsed = (text: string): Manifest | null => {
  try {
    return readManifest(JSON.parse(text) as JsonObject);
  } catch {
    return null;
  }
};

const keyOf = (orgId: string, { publisher, type, version }: TypeName): string =>
  JSON.stringify([orgId, publisher, type, version]);

const isOf = (manifest: Manifest, digest: string): boolean => {
  try {
    return manifestDigest(manifest) === digest;
  } catch {
    return false;
  }
};

const termsOf = ({
  gateMode,
  operatingMode,
  cascade,
  maxRevisions,
  maxDisputes,
  verdictWindowSeconds,
  disputeWindowSeconds,
}: Manifest): CopiedTerms => ({
  gateMode,
  operatingMode,
  cascade,
  maxRevisions,
  maxDisputes,
  verdictWindowSeconds,
  disputeWindowSeconds,
});
