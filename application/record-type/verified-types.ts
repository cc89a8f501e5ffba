import { NotaryError } from '../../domain/kernel/errors.ts';
import { manifestDigest, type RecordType } from '../../domain/record-type/manifest.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { SchemaEntryType } from '../../domain/vault/entry-type.ts';
import { openEntry } from '../../domain/vault/open-entry.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { Vault } from '../vault/vault.ts';

/**
 * Proves that a stored manifest is the one that its org registered or imported, by the signed entry on the schema chain.
 * A manifest that was edited in the database does not pass, even if its digest was edited with it.
 */
export class VerifiedTypes {
  /** Rows come from a short cache, so one proof serves everybody who uses the row meanwhile. */
  private readonly proven = new WeakSet<RecordType>();

  constructor(
    private readonly chains: ChainReads,
    private readonly vault: Vault,
  ) {}

  /** @throws CONFLICT with reason payload_drift */
  async assert(recordType: RecordType): Promise<void> {
    if (this.proven.has(recordType)) return;
    const [entry] = await this.chains.entries(
      schemaChain(recordType.orgId),
      recordType.entryPosition,
      1,
    );
    await this.compare(recordType, entry);
    this.proven.add(recordType);
  }

  /** The same for a row that a unit of work has read; its entry may be as new as the row. */
  async assertWithin(stores: Stores, recordType: RecordType): Promise<void> {
    await this.compare(
      recordType,
      await stores.chains.entryAt(schemaChain(recordType.orgId), recordType.entryPosition),
    );
  }

  private async compare(
    recordType: RecordType,
    entry: ChainEntry | null | undefined,
  ): Promise<void> {
    if (
      manifestDigest(recordType.manifest) !== recordType.manifestDigest ||
      !entry ||
      !(await this.isSealedBy(entry, recordType))
    )
      throw manifestDrift(recordType);
  }

  private async isSealedBy(
    entry: ChainEntry,
    { orgId, publisher, type, version, manifestDigest: digest, entryPosition }: RecordType,
  ): Promise<boolean> {
    const opened = await openEntry(entry.coseSign1, this.vault.keyOf);
    if (
      opened?.header.chain?.chainKey !== schemaChain(orgId) ||
      opened.header.chain.position !== entryPosition
    )
      return false;
    const sealed = opened.predicate;
    return (
      ORIGINS.has(sealed['entryType']) &&
      sealed['orgId'] === orgId &&
      sealed['publisher'] === publisher &&
      sealed['type'] === type &&
      sealed['version'] === version &&
      sealed['manifestDigest'] === digest
    );
  }
}

/** The kinds of entry that a row can come from. */
const ORIGINS: ReadonlySet<unknown> = new Set<SchemaEntryType>([
  'SCHEMA_REGISTERED',
  'SCHEMA_IMPORTED',
]);

export const manifestDrift = ({
  type,
  version,
}: {
  readonly type: string;
  readonly version: number;
}): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored manifest of ${type} version ${version} is not the one that was registered; nothing is signed on it.`,
    {
      reason: 'payload_drift',
      suggestion:
        'Tell the operator: the database was changed behind the service. The schema chain still holds what was signed.',
    },
  );
