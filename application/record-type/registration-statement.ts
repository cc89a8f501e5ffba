import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { storedStatement, type SignedStatement } from '../sealing/signed-statement.ts';
import type { Vault } from '../sealing/vault.ts';
import { manifestDrift } from './verified-types.ts';

/**
 * The entry by which an org registered or imported a version.
 *
 * @param entry at the position that the row names.
 * @throws CONFLICT with reason payload_drift where the entry is about something else: the row was edited.
 */
export const registrationStatement = (
  recordType: RecordType,
  entry: ChainEntry | null | undefined,
  vault: Pick<Vault, 'seal' | 'keyOf'>,
): SignedStatement => {
  const said = entry && readEntry(entry.coseSign1)?.predicate;
  if (
    !said ||
    !REGISTERING.has(entry.entryType) ||
    said['manifestDigest'] !== recordType.manifestDigest ||
    said['version'] !== recordType.version
  )
    throw manifestDrift(recordType);
  return storedStatement(entry, vault);
};

const REGISTERING: ReadonlySet<string> = new Set(['SCHEMA_REGISTERED', 'SCHEMA_IMPORTED']);
