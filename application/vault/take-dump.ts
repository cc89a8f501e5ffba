import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import { openCheckpoint } from '../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../domain/vault/key-statement.ts';
import type { VaultSnapshot, VaultSnapshots } from '../../domain/vault/vault-snapshot.port.ts';
import {
  auditVaultRow,
  checkpointRow,
  keyStatementRow,
  signingKeyRow,
  type DumpFile,
} from '../../domain/verification/dump/dump-rows.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { UnitOfWork } from '../unit-of-work.port.ts';
import type { CheckpointRound } from './checkpoint-round.ts';
import type { StampRounds } from './stamp-rounds.ts';
import type { Vault } from './vault.ts';

export interface DumpInput {
  /** Takes a round of checkpoints first, and leaves out what grew since: so every entry in the dump is covered. */
  readonly withRound: boolean;
  /** Stores the rows of one file, in their order. Each file is written once, one after the other. */
  readonly write: (file: DumpFile, rows: AsyncIterable<JsonObject>) => Promise<void>;
}

export interface DumpTaken {
  readonly entries: number;
  readonly chains: number;
  readonly checkpoints: number;
  /** Entries that are newer than the newest checkpoint of their chain, and not in the dump. */
  readonly leftOut: number;
  /** Chains that no checkpoint could be made of: their rows are not what was sealed. */
  readonly uncovered: readonly ChainKey[];
  /** The tree of checkpoints as the closing one of the round sealed it; null without a round. */
  readonly log: { readonly size: number; readonly root: string } | null;
}

/**
 * Dumps the vault, from one moment of the database, while writes go on: its chains, its log of checkpoints and its keys.
 * That a dump was taken is itself sealed, before a row leaves.
 */
export class TakeDump {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly round: CheckpointRound,
    private readonly stamps: StampRounds,
    private readonly snapshots: VaultSnapshots,
    private readonly vault: Vault,
    private readonly ids: IdSource,
  ) {}

  async execute({ withRound, write }: DumpInput): Promise<DumpTaken> {
    const origin = systemOrigin(this.ids.next());
    await this.unitOfWork.transaction((stores) =>
      this.sealPlatform.seal(stores, origin, {
        entryType: 'DUMP_TAKEN',
        orgId: null,
        rows: {},
        members: { withRound },
      }),
    );
    for (let attempt = 1; ; attempt++) {
      const covered = withRound ? await this.takeRound() : NO_ROUND;
      const counted = await this.snapshots.take(async (snapshot) => {
        const statements = await snapshot.statements();
        // A rotation since the round: its KEY_RETIRED would be left out of the chain, and its keys be unknown.
        if (withRound && attempt < MAX_ATTEMPTS && !(await areCovered(statements, snapshot)))
          return null;
        return writeAll(snapshot, statements, withRound, write);
      });
      if (counted) return { ...counted, ...covered };
    }
  }

  private async takeRound(): Promise<Pick<DumpTaken, 'uncovered' | 'log'>> {
    const result = await this.round.run();
    if (!result) throw new Error('the round of checkpoints did not come to its end');
    await this.stamps.runQuietly();
    const said = await openCheckpoint(result.closing, this.vault.keyOf);
    const { treeSize, treeRoot } = said ?? {};
    return {
      uncovered: result.uncovered.map(({ chainKey }) => chainKey),
      log:
        treeSize === undefined || treeRoot === undefined
          ? null
          : { size: treeSize, root: treeRoot },
    };
  }
}

const NO_ROUND = { uncovered: [], log: null };
const MAX_ATTEMPTS = 10;

const areCovered = async (
  statements: readonly KeyStatement[],
  snapshot: VaultSnapshot,
): Promise<boolean> => {
  const covered = await snapshot.coveredPositions([PLATFORM_CHAIN]);
  return (statements.at(-1)?.chainPosition ?? 0) <= (covered.get(PLATFORM_CHAIN) ?? 0);
};

const writeAll = async (
  snapshot: VaultSnapshot,
  statements: readonly KeyStatement[],
  onlyCovered: boolean,
  write: DumpInput['write'],
): Promise<Omit<DumpTaken, 'uncovered' | 'log'>> => {
  const counts = { entries: 0, chains: 0, checkpoints: 0, leftOut: 0 };
  await write(
    'vault_signing_keys',
    rowsOf(inSuccession(await snapshot.keys(), statements), signingKeyRow),
  );
  await write('vault_key_statements', rowsOf(statements, keyStatementRow));
  await write('vault_checkpoints', checkpointRows(snapshot, counts));
  await write('audit_vault', entryRows(snapshot, onlyCovered, counts));
  // Reads of an org's data by others have no log yet.
  for (const file of ['org_admin_reads', 'org_admin_reads_checkpoints'] as const)
    await write(
      file,
      rowsOf([], (row: JsonObject) => row),
    );
  return counts;
};

type Counts = { -readonly [Name in 'entries' | 'chains' | 'checkpoints' | 'leftOut']: number };

async function* checkpointRows(snapshot: VaultSnapshot, counts: Counts): AsyncIterable<JsonObject> {
  for await (const page of snapshot.checkpoints()) {
    counts.checkpoints += page.length;
    for (const checkpoint of page) yield checkpointRow(checkpoint);
  }
}

async function* entryRows(
  snapshot: VaultSnapshot,
  onlyCovered: boolean,
  counts: Counts,
): AsyncIterable<JsonObject> {
  let chainKey: ChainKey | null = null;
  for await (const page of snapshot.entries()) {
    const covered = onlyCovered
      ? await snapshot.coveredPositions([...new Set(page.map((entry) => entry.chainKey))])
      : null;
    for (const entry of page) {
      if (covered && entry.position > (covered.get(entry.chainKey) ?? 0)) {
        counts.leftOut++;
        continue;
      }
      counts.entries++;
      if (entry.chainKey !== chainKey) counts.chains++;
      chainKey = entry.chainKey;
      yield auditVaultRow(entry);
    }
  }
}

/** The order in which the keys were activated. */
const inSuccession = (
  keys: readonly VaultKey[],
  statements: readonly KeyStatement[],
): readonly VaultKey[] => {
  const activated = statements
    .filter(({ statement }) => statement === 'activated')
    .map(({ keyId }) => keyId);
  const place = (key: VaultKey): number => activated.indexOf(key.keyId);
  return keys.toSorted((a, b) => place(a) - place(b));
};

async function* rowsOf<T>(
  values: readonly T[],
  row: (value: T) => JsonObject,
): AsyncIterable<JsonObject> {
  for (const value of values) yield await Promise.resolve(row(value));
}
