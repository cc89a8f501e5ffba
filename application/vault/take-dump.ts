import { NotaryError } from '../../domain/kernel/errors.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { orgReadsKey } from '../../domain/transparency/org-read.ts';
import type {
  ReadsSnapshot,
  VaultSnapshots,
} from '../../domain/transparency/vault-snapshots.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import { openCheckpoint } from '../../domain/vault/checkpoint.ts';
import type { KeyStatement, VaultKey } from '../../domain/vault/key-statement.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import type { VaultSnapshot } from '../../domain/vault/vault-snapshot.port.ts';
import {
  auditVaultRow,
  checkpointRow,
  keyStatementRow,
  signingKeyRow,
  type DumpFile,
} from '../../domain/verification/dump/rows/dump-rows.ts';
import { systemOrigin, type Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { LogEveryOrg } from '../transparency/log-every-org.ts';
import type { OrgReadsRound } from '../transparency/org-reads-round.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { CheckpointRound } from './checkpoint-round.ts';
import { areTakenOver, leafRows, readsCheckpointRows } from './dump-reads.ts';
import type { StampRounds } from './stamp-rounds.ts';
import type { Vault } from '../sealing/vault.ts';

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
  /** Reads in the logs of the orgs. */
  readonly reads: number;
  /** Entries and reads that are newer than the newest checkpoint of their chain or log, and not in the dump. */
  readonly leftOut: number;
  /** Chains and logs that no checkpoint could be made of: their rows are not what was sealed. */
  readonly uncovered: readonly ChainKey[];
  /** Orgs whose log of reads was changed behind the service: that they were read is sealed on the platform chain alone. */
  readonly unlogged: readonly Uuid[];
  /** The tree of checkpoints as the closing one of the round sealed it; null without a round. */
  readonly log: { readonly size: number; readonly root: string } | null;
}

/**
 * Dumps the vault, from one moment of the database, while writes go on: its chains, its log of checkpoints, its keys and
 * the logs of reads. That a dump was taken is itself sealed, and entered in the log of every org, before a row leaves. A
 * log that was changed takes no leaf; the dump is what shows to a verifier that it was, so DUMP_TAKEN names its org instead.
 */
export class TakeDump {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly round: CheckpointRound,
    private readonly orgReads: Pick<OrgReadsRound, 'run'>,
    private readonly everyOrg: Pick<LogEveryOrg, 'enter'>,
    private readonly stamps: StampRounds,
    private readonly snapshots: VaultSnapshots,
    private readonly vault: Vault,
    private readonly ids: IdSource,
  ) {}

  async execute({ withRound, write }: DumpInput): Promise<DumpTaken> {
    const origin = systemOrigin(this.ids.next());
    const unlogged = await this.log(origin, withRound);
    await this.unitOfWork.transaction((stores) =>
      this.sealPlatform.seal(stores, origin, {
        entryType: 'DUMP_TAKEN',
        orgId: null,
        rows: {},
        members: { withRound, unlogged },
      }),
    );
    for (let attempt = 1; ; attempt++) {
      const { broken, ...covered } = await this.cover(withRound);
      const unusable = new Set([...broken, ...unlogged]);
      const counted = await this.snapshots.take(async (vault, reads) => {
        const moment = { vault, reads, ...(await keysOf(vault)) };
        if (attempt < MAX_ATTEMPTS && !(await isWhole(moment, withRound, unusable))) return null;
        return writeAll(moment, withRound, write);
      });
      if (counted) return { ...counted, ...covered, unlogged };
    }
  }

  private async log({ actor, requestId }: Origin, withRound: boolean): Promise<readonly Uuid[]> {
    const unlogged = await this.everyOrg.enter({
      actor,
      requestId,
      operation: 'dump',
      inputDigest: hashJson({ withRound }),
      protocol: 'cli',
    });
    if (unlogged.length > MAX_UNLOGGED)
      throw new NotaryError(
        'CONFLICT',
        `The logs of reads of ${unlogged.length} orgs are not the ones that were signed, and an entry names ${MAX_UNLOGGED} at most.`,
        { reason: 'log_broken', suggestion: 'Restore a backup of the database.' },
      );
    return unlogged;
  }

  private async cover(withRound: boolean): Promise<Covered & { readonly broken: readonly Uuid[] }> {
    // Where another node rotated, this one could cover nothing by the key that it knows.
    await this.vault.refreshIfRotated();
    // Without a round only what a rotation has begun is ended. The round of checkpoints comes afterwards, because it covers
    // what the platform chain says of the logs of reads.
    const { broken } = await this.orgReads.run(withRound ? {} : { afterMs: Infinity });
    const taken = withRound ? await this.takeRound() : NO_ROUND;
    const logs = broken.map(({ orgId }) => orgReadsKey(orgId));
    return {
      ...taken,
      uncovered: [...taken.uncovered, ...logs],
      broken: broken.map(({ orgId }) => orgId),
    };
  }

  private async takeRound(): Promise<Covered> {
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

type Covered = Pick<DumpTaken, 'uncovered' | 'log'>;
const NO_ROUND: Covered = { uncovered: [], log: null };
const MAX_ATTEMPTS = 10;
/** So that the entry stays well below 65,535 bytes. */
const MAX_UNLOGGED = 1_000;

/** The database as it was, with its keys. */
interface Moment {
  readonly vault: VaultSnapshot;
  readonly reads: ReadsSnapshot;
  readonly keys: readonly VaultKey[];
  readonly statements: readonly KeyStatement[];
  readonly activeKeyId: string;
}

const keysOf = async (
  vault: VaultSnapshot,
): Promise<Pick<Moment, 'keys' | 'statements' | 'activeKeyId'>> => {
  const keys = await vault.keys();
  const activeKeyId = keys.find(({ status }) => status === 'active')?.keyId ?? '';
  return { keys, statements: await vault.statements(), activeKeyId };
};

/**
 * Not so where a key was rotated since the round: its KEY_RETIRED would be left out of the chain, and its keys be unknown;
 * or the new key has not covered the logs of reads yet.
 */
const isWhole = async (
  { vault, reads, statements, activeKeyId }: Moment,
  withRound: boolean,
  broken: ReadonlySet<Uuid>,
): Promise<boolean> => {
  if (!(await areTakenOver(reads, activeKeyId, broken))) return false;
  if (!withRound) return true;
  const covered = await vault.coveredPositions([PLATFORM_CHAIN]);
  return (statements.at(-1)?.chainPosition ?? 0) <= (covered.get(PLATFORM_CHAIN) ?? 0);
};

const writeAll = async (
  { vault, reads, keys, statements, activeKeyId }: Moment,
  onlyCovered: boolean,
  write: DumpInput['write'],
): Promise<Omit<DumpTaken, 'uncovered' | 'unlogged' | 'log'>> => {
  const counts = { entries: 0, chains: 0, checkpoints: 0, reads: 0, leftOut: 0 };
  const leftOut = new Set<Uuid>();
  await write('vault_signing_keys', rowsOf(inSuccession(keys, statements), signingKeyRow));
  await write('vault_key_statements', rowsOf(statements, keyStatementRow));
  await write('vault_checkpoints', checkpointRows(vault, counts));
  await write('audit_vault', entryRows(vault, onlyCovered, counts, leftOut));
  await write('org_admin_reads', leafRows(reads, activeKeyId, onlyCovered, counts));
  await write('org_admin_reads_checkpoints', readsCheckpointRows(reads, activeKeyId, leftOut));
  return counts;
};

type Counts = {
  -readonly [Name in 'entries' | 'chains' | 'checkpoints' | 'reads' | 'leftOut']: number;
};

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
  leftOutWitnesses: Set<Uuid>,
): AsyncIterable<JsonObject> {
  let chainKey: ChainKey | null = null;
  for await (const page of snapshot.entries()) {
    const covered = onlyCovered
      ? await snapshot.coveredPositions([...new Set(page.map((entry) => entry.chainKey))])
      : null;
    for (const entry of page) {
      if (covered && entry.position > (covered.get(entry.chainKey) ?? 0)) {
        counts.leftOut++;
        if (entry.entryType === 'WITNESS_ADDED')
          leftOutWitnesses.add(String(readEntry(entry.coseSign1)?.predicate['witnessKeyId']));
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
