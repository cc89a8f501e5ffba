import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import { publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { followSuccession, type KeySuccession } from '../../domain/vault/key-succession.ts';
import type {
  KeyRetiredMembers,
  KeyStatement,
  VaultKey,
} from '../../domain/vault/key-statement.ts';
import { listedKeys } from '../../domain/vault/listed-keys.ts';
import { importVerificationKey, openEntry } from '../../domain/vault/open-entry.ts';
import type { HubIdentity, VaultKeyReads } from '../../domain/vault/vault-store.port.ts';

/** The hub and its keys, as the platform chain says. */
export interface ProvenKeys {
  readonly hub: HubIdentity;
  /** Newest first; the first one is active. */
  readonly keys: readonly [VaultKey, ...VaultKey[]];
  readonly statements: readonly KeyStatement[];
  /** Of the retired keys, by their id. */
  readonly retirements: ReadonlyMap<string, KeyRetiredMembers>;
}

/** The rows of the vault do not say what its signed entries say. The message names the row. */
export class VaultRowError extends Error {
  override readonly name = 'VaultRowError';

  constructor(row: string) {
    super(
      `the database was changed behind the service: ${row}. The platform chain holds what was signed; nothing was written.`,
    );
  }
}

/**
 * Reads the key statements on the platform chain, and believes no row that says something else: who the hub is, which keys
 * it had, from when to when, which one is active.
 *
 * The copies of the statements tell at which positions they stand; the entries there are what counts, and each names the
 * one before it by its hash. That none is missing at the end shows at the newest entry of the chain: the newest key has
 * to be the one that signed it, for every rotation ends with an entry by the new key.
 *
 * @throws VaultRowError
 */
export const proveSuccession = async (
  reads: VaultKeyReads,
  chains: ChainReads,
): Promise<ProvenKeys> => {
  const [hub, rows, copies] = await Promise.all([reads.hub(), reads.keys(), reads.statements()]);
  await Promise.all(copies.map((copy) => assertIsEntry(copy, chains)));
  const succession = await followSuccession(copies.map(({ coseSign1 }) => coseSign1));
  assertHolds(succession);
  assertCopies(copies, succession.statements);
  assertHub(hub, succession.hub);
  const [newest, ...older] = listedKeys(succession);
  if (!newest || !succession.hub) throw new VaultRowError('vault_key_statements has no row');
  assertRows(rows, [newest, ...older]);
  await assertSignsHead(newest, chains);
  return {
    hub: succession.hub,
    keys: [newest, ...older],
    statements: succession.statements,
    retirements: new Map(
      succession.keys.flatMap(({ keyId, retirement }) =>
        retirement ? [[keyId, retirement] as const] : [],
      ),
    ),
  };
};

const assertIsEntry = async (copy: KeyStatement, chains: ChainReads): Promise<void> => {
  const { chainPosition, coseSign1 } = copy;
  const [entry] = await chains.entries(PLATFORM_CHAIN, chainPosition, 1);
  if (entry?.position !== chainPosition || !bytesEqual(entry.coseSign1, coseSign1))
    throw new VaultRowError(
      `the row of vault_key_statements at position ${chainPosition} is not the entry of the platform chain there`,
    );
  if (!bytesEqual(entry.hash, sha256(coseSign1)))
    throw new VaultRowError(
      `the hash in the row of chain_entries at position ${chainPosition} of the platform chain is not that of its bytes`,
    );
};

const assertHolds = ({ faults }: KeySuccession): void => {
  const [fault] = faults;
  if (fault)
    throw new VaultRowError(
      `the key statements${fault.position === null ? '' : ` at position ${fault.position} of the platform chain`} are no succession of keys (${fault.failureClass}: ${fault.detail})`,
    );
};

const assertCopies = (copies: readonly KeyStatement[], sealed: readonly KeyStatement[]): void => {
  for (const [index, copy] of copies.entries())
    for (const member of ['keyId', 'statement', 'chainPosition', 'createdAt'] as const)
      if (copy[member] !== sealed[index]?.[member])
        throw new VaultRowError(
          `the row of vault_key_statements at position ${copy.chainPosition} has another ${COLUMNS[member]} than the statement that it copies`,
        );
};

const assertHub = (row: HubIdentity | null, sealed: HubIdentity | null): void => {
  for (const member of ['hubId', 'predicateBase'] as const)
    if (!row || row[member] !== sealed?.[member])
      throw new VaultRowError(
        `the row of instance has another ${COLUMNS[member]} than position 1 of the platform chain`,
      );
};

const assertRows = (rows: readonly VaultKey[], sealed: readonly VaultKey[]): void => {
  const known = new Map(sealed.map((key) => [key.keyId, key]));
  for (const row of rows) {
    const key = known.get(row.keyId);
    if (!key)
      throw new VaultRowError(
        `the key ${row.keyId} in vault_signing_keys has no KEY_ACTIVATED on the platform chain`,
      );
    known.delete(row.keyId);
    for (const member of ['algorithm', 'status', 'activatedAt', 'retiredAt'] as const)
      if (row[member] !== key[member])
        throw new VaultRowError(
          `the key ${row.keyId} in vault_signing_keys has another ${COLUMNS[member]} than its statements`,
        );
    if (!bytesEqual(row.publicKey, key.publicKey))
      throw new VaultRowError(
        `the key ${row.keyId} in vault_signing_keys has another public_key than its statement`,
      );
  }
  for (const keyId of known.keys())
    throw new VaultRowError(
      `the key ${keyId} was activated on the platform chain and is not in vault_signing_keys`,
    );
};

const COLUMNS = {
  keyId: 'key_id',
  statement: 'statement',
  chainPosition: 'chain_position',
  createdAt: 'created_at',
  hubId: 'hub_id',
  predicateBase: 'predicate_base',
  algorithm: 'algorithm',
  status: 'status',
  activatedAt: 'activated_at',
  retiredAt: 'retired_at',
} as const;

const assertSignsHead = async (
  { keyId, publicKey }: VaultKey,
  chains: ChainReads,
): Promise<void> => {
  const head = await chains.newest(PLATFORM_CHAIN);
  const imported = await importVerificationKey(publicKeyFromSpki(publicKey));
  const opened =
    head && (await openEntry(head.coseSign1, (kid) => (kid === keyId ? imported : undefined)));
  if (
    opened?.header.chain?.chainKey !== PLATFORM_CHAIN ||
    opened.header.chain.position !== head?.position
  )
    throw new VaultRowError(
      `the newest entry of the platform chain, at position ${head?.position ?? 'none'}, is not signed by ${keyId}, the newest key in vault_key_statements: the entry was changed, or a key statement is missing`,
    );
};
