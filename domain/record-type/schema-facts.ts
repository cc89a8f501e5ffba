import type { JsonObject } from '../kernel/canonical-json.ts';
import type { RecordType, RecordTypeStatus } from './manifest.ts';

/** A version as the schema chain of its org says it. */
export interface SealedVersion {
  readonly manifestDigest: string;
  readonly status: RecordTypeStatus;
}

export type VersionName = Pick<RecordType, 'publisher' | 'type' | 'version'>;

/** What the schema chain of an org says of each version; the newest entry about it counts. */
export class SchemaFacts {
  /** Null: deleted. */
  private readonly versions = new Map<string, SealedVersion | null>();

  /** @param before entries before these, which are not changed. */
  constructor(private readonly before: SchemaFacts | null = null) {}

  /** Null where the org does not hold the version, or not any more. */
  versionOf(name: VersionName): SealedVersion | null {
    return this.find(keyOf(name));
  }

  /** Every version that the org holds, in the order in which the chain names them first. Of these entries alone. */
  *held(): Iterable<VersionName & SealedVersion> {
    for (const [key, sealed] of this.versions) {
      if (!sealed) continue;
      const [publisher, type, version] = JSON.parse(key) as [string, string, number];
      yield { publisher, type, version, ...sealed };
    }
  }

  /** Adds the next entry. */
  take(predicate: JsonObject): void {
    const said = predicate as unknown as VersionName & SealedVersion & { entryType: string };
    const { manifestDigest, status } = said;
    const key = keyOf(said);
    if (said.entryType === 'SCHEMA_DELETED') this.versions.set(key, null);
    else this.versions.set(key, { manifestDigest, status });
  }

  private find(key: string): SealedVersion | null {
    const own = this.versions.get(key);
    return own === undefined ? (this.before?.find(key) ?? null) : own;
  }
}

const keyOf = ({ publisher, type, version }: VersionName): string =>
  JSON.stringify([publisher, type, version]);
