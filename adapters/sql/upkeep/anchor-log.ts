import { setImmediate } from 'node:timers/promises';
import type {
  AnchoredCheckpoint,
  AnchorLog,
  AnchorSweepState,
} from '../../../domain/vault/anchor-log.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../../domain/vault/checkpoint.ts';
import type { Dialect } from '../base/dialect.ts';
import { ANCHORED_CHECKPOINTS, ANCHOR_SWEEPS } from '../vault/anchor-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import { VAULT_CHECKPOINTS } from '../vault/vault-row.ts';
import { columnsOf, placeholders, type Table } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitRunner } from '../tables/unit-context.ts';

const NEVER: AnchorSweepState = {
  lastSweepAt: null,
  lastSuccessAt: null,
  failures: 0,
  pending: 0,
  lastVerify: null,
};

/** Leaves of the log in one look: few enough that nobody waits for it. */
const LEAVES = 2_000;

/** Rows in one statement. */
const ROWS = 100;

export class SqlAnchorLog implements AnchorLog {
  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly reader: Reader,
    private readonly dialect: Dialect,
  ) {}

  async pending(limit: number): Promise<readonly Checkpoint[]> {
    const found: Checkpoint[] = [];
    let before = await this.leaves();
    while (before > 0 && found.length < limit) {
      const first = Math.max(0, before - LEAVES);
      const values = [PLATFORM_CHAIN, first, before, limit - found.length];
      found.push(...(await findAll(this.reader, VAULT_CHECKPOINTS, PENDING, values)));
      before = first;
      // Where little is pending the whole log is looked at; on SQLite nothing else would run in between.
      await setImmediate();
    }
    return found;
  }

  private async leaves(): Promise<number> {
    const [newest] = await this.reader.all<{ readonly log_index: number | null }>(
      'SELECT MAX(log_index) AS log_index FROM vault_checkpoints',
      [],
    );
    const index = newest?.log_index ?? null;
    return index === null ? 0 : Number(index) + 1;
  }

  async record(anchored: readonly AnchoredCheckpoint[]): Promise<void> {
    for (let from = 0; from < anchored.length; from += ROWS) {
      const rows = anchored.slice(from, from + ROWS).map((one) => ANCHORED_CHECKPOINTS.toRow(one));
      await this.unitOfWork.run((unit) =>
        unit.run(
          `${this.dialect.insertIgnore} INTO ${valuesInto(ANCHORED_CHECKPOINTS, rows.length)}`,
          rows.flat(),
        ),
      );
    }
  }

  ofChain(chainKey: ChainKey, limit: number): Promise<readonly AnchoredCheckpoint[]> {
    const sql = `${ANCHORED_CHECKPOINTS.select} WHERE chain_key = ? ORDER BY log_index DESC LIMIT ?`;
    return findAll(this.reader, ANCHORED_CHECKPOINTS, sql, [chainKey, limit]);
  }

  /** By places in the log: whoever stands after a long gap is chosen more often, and that is as good. */
  async sample(count: number): Promise<readonly AnchoredCheckpoint[]> {
    const [ends] = await this.reader.all<{ readonly first: number; readonly last: number }>(
      'SELECT MIN(log_index) AS first, MAX(log_index) AS last FROM anchored_checkpoints',
      [],
    );
    if (!ends || ends.last === null) return [];
    const [first, last] = [Number(ends.first), Number(ends.last)];
    const chosen = new Map<number, AnchoredCheckpoint>();
    for (let n = 0; n < count; n++) {
      const at = first + Math.floor(Math.random() * (last - first + 1));
      const sql = `${ANCHORED_CHECKPOINTS.select} WHERE log_index >= ? ORDER BY log_index LIMIT 1`;
      const found = await findOne(this.reader, ANCHORED_CHECKPOINTS, sql, [at]);
      if (found) chosen.set(found.logIndex, found);
    }
    return [...chosen.values()];
  }

  async state(): Promise<AnchorSweepState> {
    return (await findOne(this.reader, ANCHOR_SWEEPS, ANCHOR_SWEEPS.select, [])) ?? NEVER;
  }

  async save(state: AnchorSweepState): Promise<void> {
    const row = ANCHOR_SWEEPS.toRow(state);
    await this.unitOfWork.run((unit) =>
      unit.run(`REPLACE INTO ${valuesInto(ANCHOR_SWEEPS, 1)}`, row),
    );
  }
}

const valuesInto = (table: Table, rows: number): string => {
  const one = `(${placeholders(table.columns.length)})`;
  return `${table.name} (${columnsOf(table)}) VALUES ${Array<string>(rows).fill(one).join(', ')}`;
};

const PENDING = `
  SELECT ${VAULT_CHECKPOINTS.columns.map((name) => `c.${name}`).join(', ')}
  FROM vault_checkpoints c
  WHERE c.chain_key <> ? AND c.log_index >= ? AND c.log_index < ?
    AND NOT EXISTS (SELECT 1 FROM anchored_checkpoints a WHERE a.log_index = c.log_index)
    AND NOT EXISTS (SELECT 1 FROM vault_checkpoints n WHERE n.chain_key = c.chain_key AND n.log_index > c.log_index)
  ORDER BY c.log_index DESC LIMIT ?`;
