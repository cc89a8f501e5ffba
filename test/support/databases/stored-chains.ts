import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { importVerificationKey, openEntry } from '../../../domain/vault/open-entry.ts';
import { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import type { TestDatabase } from './databases.ts';
import type { Body, Client } from '../service/world.ts';
import { dataIn, signedIn } from './stored-values.ts';

/** What a service needs to be told when its database is MySQL. */
export const freshSecrets = (): Record<
  'API_KEY_PEPPER' | 'SECRETS_KEY' | 'SIGNER_KEK',
  string
> => ({
  API_KEY_PEPPER: randomBytes(32).toString('base64'),
  SECRETS_KEY: randomBytes(32).toString('base64'),
  SIGNER_KEK: randomBytes(32).toString('base64'),
});

export interface StoredEntry {
  readonly chainKey: string;
  readonly position: number;
  readonly entryType: string;
  /** Hex. */
  readonly hash: string;
  readonly predicate: Body;
}

export interface Stored {
  /** Of each chain, in order. */
  readonly chains: ReadonlyMap<string, readonly StoredEntry[]>;
  /** Status by record id. */
  readonly records: ReadonlyMap<string, string>;
  /** How many records carry a platformRef. */
  readonly countByRef: ReadonlyMap<string, number>;
  /** How many completions a record has. */
  readonly completions: ReadonlyMap<string, number>;
  /** What does not fit together, in words. */
  readonly faults: readonly string[];
}

type Row = Record<string, any>;

/**
 * Reads all of a database past the service and holds its parts against each other. The tables are read one after the
 * other, and a job of the service may write between them; so what does not fit is read again: a real fault is still there.
 *
 * @param keys that signed, the active one included.
 */
export const readStored = async (
  database: Pick<TestDatabase, 'raw'>,
  keys = 1,
): Promise<Stored> => {
  for (let tries = 1; ; tries++) {
    const stored = await readOnce(database, keys);
    if (stored.faults.length === 0 || tries === 4) return stored;
    await setTimeout(1_000);
  }
};

const readOnce = async (database: Pick<TestDatabase, 'raw'>, keys: number): Promise<Stored> => {
  const rows: Rows = (sql) => database.raw(sql);
  const faults: string[] = [];
  const chains = await readChains(rows, faults);
  const records = await rows(
    'SELECT id, status, version, platform_ref, latest_completion_id FROM records',
  );
  const completions = await rows('SELECT id, record_id, entry_position FROM completions');
  compareRecords(records, completions, chains, faults);
  await compareOutbox(rows, chains, faults);
  await compareVault(rows, chains, faults, keys);
  return {
    chains,
    records: new Map(records.map((row) => [uuid(row['id']), String(row['status'])])),
    countByRef: countBy(
      records.flatMap((row) => (row['platform_ref'] === null ? [] : [String(row['platform_ref'])])),
    ),
    completions: countBy(completions.map((row) => uuid(row['record_id']))),
    faults,
  };
};

type Rows = (sql: string) => Promise<readonly Row[]>;

const readChains = async (rows: Rows, faults: string[]): Promise<Map<string, StoredEntry[]>> => {
  const keys = new Map(
    await Promise.all(
      (await rows('SELECT key_id, public_key FROM vault_signing_keys')).map(
        async (row) =>
          [
            String(row['key_id']),
            await importVerificationKey(publicKeyFromSpki(row['public_key'])),
          ] as const,
      ),
    ),
  );
  const chains = new Map<string, StoredEntry[]>();
  for (const row of await rows(
    'SELECT chain_key, position, entry_type, previous_hash, hash, cose_sign1 FROM chain_entries ORDER BY chain_key, position',
  )) {
    const chainKey = String(row['chain_key']);
    const chain = chains.get(chainKey) ?? [];
    chains.set(chainKey, chain);
    const place = `${chainKey} at ${row['position']}`;
    const hash = hex(row['hash']);
    if (Number(row['position']) !== chain.length + 1)
      faults.push(`gap: ${place} follows ${chain.length}`);
    if (hex(row['previous_hash']) !== (chain.at(-1)?.hash ?? '0'.repeat(64)))
      faults.push(`broken link: ${place}`);
    const signed = signedIn(row);
    if (createHash('sha256').update(signed).digest('hex') !== hash)
      faults.push(`hash is not that of the bytes: ${place}`);
    const opened = await openEntry(signed, (keyId) => keys.get(keyId));
    if (!opened) faults.push(`does not verify: ${place}`);
    else if (
      opened.header.chain?.chainKey !== chainKey ||
      opened.header.chain.position !== Number(row['position'])
    )
      faults.push(`signed for another place: ${place}`);
    chain.push({
      chainKey,
      position: Number(row['position']),
      entryType: String(row['entry_type']),
      hash,
      predicate: opened?.predicate ?? {},
    });
  }
  const heads = await rows('SELECT chain_key, position, hash FROM chain_heads');
  for (const head of heads) {
    const last = chains.get(String(head['chain_key']))?.at(-1);
    if (!last || last.position !== Number(head['position']) || last.hash !== hex(head['hash']))
      faults.push(`the head of ${head['chain_key']} is not its last entry`);
  }
  if (heads.length !== chains.size) faults.push(`${heads.length} heads for ${chains.size} chains`);
  return chains;
};

/** Each row says what its chain says, and each entry left its trace: the version counts them, a completion stands for each submission. */
const compareRecords = (
  records: readonly Row[],
  completions: readonly Row[],
  chains: ReadonlyMap<string, readonly StoredEntry[]>,
  faults: string[],
): void => {
  const known = new Set(records.map((row) => uuid(row['id'])));
  for (const chainKey of chains.keys())
    if (chainKey !== PLATFORM_CHAIN && !chainKey.startsWith('schema:') && !known.has(chainKey))
      faults.push(`a chain without its record: ${chainKey}`);
  const submitted = new Map(
    completions.map((row) => [
      `${uuid(row['record_id'])}/${row['entry_position']}`,
      uuid(row['id']),
    ]),
  );
  let submissions = 0;
  for (const row of records) {
    const id = uuid(row['id']);
    const chain = chains.get(id) ?? [];
    const changes = chain.filter(
      (entry, index) =>
        entry.entryType !== 'SIGNAL_EMITTED' || !followsFrom(entry, chain[index - 1]),
    ).length;
    if (changes !== Number(row['version']))
      faults.push(`record ${id} at version ${row['version']} has ${changes} changes on its chain`);
    let status: string | null = null;
    let latest: string | null = null;
    for (const { predicate, entryType, position } of chain) {
      if (entryType === 'SIGNAL_EMITTED') continue;
      if (predicate['transition']?.from !== status)
        faults.push(
          `record ${id}: entry ${position} starts from ${predicate['transition']?.from}, the one before ends ${status}`,
        );
      status = predicate['transition']?.to;
      if (entryType !== 'COMPLETION_SUBMITTED') continue;
      submissions += 1;
      latest = predicate['completionId'];
      if (submitted.get(`${id}/${position}`) !== latest)
        faults.push(`record ${id}: no completion stands for entry ${position}`);
    }
    if (status !== row['status'])
      faults.push(`record ${id} is ${row['status']}, its chain says ${status}`);
    if (
      latest !== (row['latest_completion_id'] === null ? null : uuid(row['latest_completion_id']))
    )
      faults.push(`record ${id}: the latest completion is not the one of the chain`);
  }
  if (submissions !== completions.length)
    faults.push(`${completions.length} completions for ${submissions} entries`);
};

/** A signal that came with the change before it; another one, a release, is a change of its own. */
const followsFrom = (signal: StoredEntry, before: StoredEntry | undefined): boolean =>
  signal.predicate['requestId'] === before?.predicate['requestId'];

/** What no event is told of. */
const UNTOLD: ReadonlySet<string> = new Set(['DISPUTE_EVIDENCE_SUBMITTED', 'DISPUTE_ESCALATED']);
const UNTOLD_ACTS: ReadonlySet<string> = new Set(['KEY_ACTIVATED', 'PUBLISHER_CLAIMED']);

/** One event for each entry of a record's chain, but for those that are told to nobody, and for each act; a key statement and the claim of a label are told to nobody either. That a key was used is an event of no act. */
const compareOutbox = async (
  rows: Rows,
  chains: ReadonlyMap<string, readonly StoredEntry[]>,
  faults: string[],
): Promise<void> => {
  await compareNumbers(rows, faults);
  // These two are sums that are told once a minute, and no acts.
  const events = await rows(
    "SELECT record_id, data FROM outbox WHERE type NOT IN ('key.used', 'auth.refused')",
  );
  const told = countBy(
    events.flatMap((event) => {
      if (event['record_id'] === null) return [];
      const { entry } = dataIn(event) as {
        entry: { position: number; hash: string };
      };
      return [`${uuid(event['record_id'])}/${entry.position}/${entry.hash}`];
    }),
  );
  let recordEntries = 0;
  let acts = 0;
  for (const [chainKey, chain] of chains) {
    const isRecord = chainKey !== PLATFORM_CHAIN && !chainKey.startsWith('schema:');
    for (const entry of chain) {
      if (!isRecord) acts += UNTOLD_ACTS.has(entry.entryType) ? 0 : 1;
      else if (UNTOLD.has(entry.entryType)) continue;
      else if (told.get(`${chainKey}/${entry.position}/${entry.hash}`) !== 1)
        faults.push(
          `entry ${entry.position} of ${chainKey} has ${told.get(`${chainKey}/${entry.position}/${entry.hash}`) ?? 0} events`,
        );
      if (isRecord) recordEntries += 1;
    }
  }
  const ofActs = events.filter((event) => event['record_id'] === null).length;
  if (events.length - ofActs !== recordEntries)
    faults.push(`${events.length - ofActs} events for ${recordEntries} entries of records`);
  if (ofActs !== acts) faults.push(`${ofActs} events for ${acts} acts`);
};

/** Every event has its number soon, 1, 2, 3 … without a gap, of one record in the order of its chain. */
const compareNumbers = async (rows: Rows, faults: string[]): Promise<void> => {
  const unnumbered = async (): Promise<number> =>
    (await rows('SELECT 1 AS one FROM outbox WHERE sequence IS NULL')).length;
  let waiting = await unnumbered();
  for (let tries = 0; waiting > 0 && tries < 150; tries++) {
    await setTimeout(20);
    waiting = await unnumbered();
  }
  if (waiting > 0) faults.push(`${waiting} events have no number`);
  const last = new Map<string, number>();
  let next = 1;
  for (const event of await rows(
    'SELECT sequence, record_id, position FROM outbox WHERE sequence IS NOT NULL ORDER BY sequence',
  )) {
    const sequence = Number(event['sequence']);
    if (sequence !== next++) faults.push(`event ${next - 1} has the number ${sequence}`);
    if (event['record_id'] === null) continue;
    const record = uuid(event['record_id']);
    const position = Number(event['position']);
    if (position < (last.get(record) ?? 0))
      faults.push(`event ${sequence} of ${record} comes too late`);
    last.set(record, position);
  }
};

/** One hub, one key, one statement of it, and a log of checkpoints without a gap, each of an entry that is there. */
const compareVault = async (
  rows: Rows,
  chains: ReadonlyMap<string, readonly StoredEntry[]>,
  faults: string[],
  keys: number,
): Promise<void> => {
  const expected = {
    instance: 1,
    sealed_keys: 1,
    vault_signing_keys: keys,
    // Each key but the active one was retired.
    vault_key_statements: 2 * keys - 1,
  };
  for (const [table, size] of Object.entries(expected)) {
    const count = (await rows(`SELECT 1 AS one FROM ${table}`)).length;
    if (count !== size) faults.push(`${table} has ${count} rows, not ${size}`);
  }
  const activations =
    chains.get(PLATFORM_CHAIN)?.filter((entry) => entry.entryType === 'KEY_ACTIVATED') ?? [];
  if (activations.length !== keys || activations[0]?.position !== 1)
    faults.push(`${activations.length} keys were activated on the platform chain`);
  let next = 0;
  for (const row of await rows(
    'SELECT log_index, chain_key, position, head_hash FROM vault_checkpoints ORDER BY log_index',
  )) {
    if (Number(row['log_index']) !== next++)
      faults.push(`the log of checkpoints has a gap before ${row['log_index']}`);
    if (
      chains.get(String(row['chain_key']))?.[Number(row['position']) - 1]?.hash !==
      hex(row['head_hash'])
    )
      faults.push(`checkpoint ${row['log_index']} is not of an entry that is there`);
  }
};

/** The verdict on the audit export of each record, by the pinned fingerprint; those that are not valid, in words. */
export const verifyExports = async (
  client: Client,
  recordIds: readonly string[],
  fingerprint: string,
  width = 8,
): Promise<readonly string[]> => {
  const trust = trustOf({ kind: 'fingerprint', sha256Hex: fingerprint });
  const keys = new HubKeys();
  const faults: string[] = [];
  await inParallel(width, recordIds, async (id) => {
    const response = await fetch(`${client.url}/v1/records/${id}/audit-export?evidence=true`, {
      headers: { authorization: `Bearer ${client.key}` },
    });
    const text = await response.text();
    if (response.status !== 200)
      return void faults.push(`${id}: the export answered ${response.status}: ${text}`);
    const report = await verifyAuditExport(text, { trust, keys });
    if (report.verdict !== 'valid')
      faults.push(
        `${id}: ${report.verdict} ${JSON.stringify(report.failures)} ${report.reasons.join(' ')}`,
      );
  });
  return faults;
};

/** Runs `work` on every item, `width` at a time. */
export const inParallel = async <T>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const queue = items.values();
  const lane = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
};

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex');

export const uuid = (bytes: unknown): string =>
  hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
