import type { Dialect } from '../base/dialect.ts';
import { placeholders } from '../base/session.ts';
import type { ChainHead } from '../../../domain/vault/chain.ts';
import { CHAIN_HEADS } from '../vault/chain-row.ts';
import type { RowOf } from '../tables/column-map.ts';
import { RECORDS, type RecordRow } from './record-row.ts';

/** The row of a record, locked with the head of its chain. */
export type LockedRow = RecordRow & {
  /** The time of the database. */
  readonly db_now: number;
} & {
  readonly [Name in keyof RowOf<typeof CHAIN_HEADS> as `head_${Name}`]: RowOf<
    typeof CHAIN_HEADS
  >[Name];
};

/** The name of a record's chain, from the bytes of its id. */
const CHAIN_KEY = `LOWER(CONCAT_WS('-', ${[
  [1, 4],
  [5, 2],
  [7, 2],
  [9, 2],
  [11, 6],
]
  .map(([from, length]) => `HEX(SUBSTRING(records.id, ${from}, ${length}))`)
  .join(', ')}))`;

const columns = (now: string): string =>
  `${RECORDS.columnList}, ${now} AS db_now, ${CHAIN_HEADS.columns
    .map((name) => `head.${name} AS head_${name}`)
    .join(', ')}`;

/** Only those below no other: a record of a tree is locked by whoever holds the root. */
const WHICH = 'root_record_id IS NULL AND records.id';

/** Makes the text once for each expression of the time, because it is long. */
const remembered = (make: (dialect: Dialect) => string): ((dialect: Dialect) => string) => {
  let last = { now: '', sql: '' };
  return (dialect) => {
    const { now } = dialect;
    if (last.now !== now) last = { now, sql: make(dialect) };
    return last.sql;
  };
};

const ofMysql = remembered(
  ({ now, byIndex }) =>
    `SELECT ${columns(now)} FROM records ${byIndex('PRIMARY')} STRAIGHT_JOIN chain_heads AS head ON head.chain_key = ${CHAIN_KEY} WHERE ${WHICH}`,
);

/** Locks records of MySQL, each with the head of its chain, the record first. Those without a chain are left out. */
export const lockRecords = (dialect: Dialect, count: number): string =>
  `${ofMysql(dialect)} IN (${placeholders(count)})${dialect.forUpdate}`;

/** A record of SQLite with the head of its chain: the name of the chain, and the id. */
export const lockedRecord = remembered(
  ({ now }) =>
    `SELECT ${columns(now)} FROM records CROSS JOIN chain_heads AS head ON head.chain_key = ? WHERE ${WHICH} = ?`,
);

export const headOf = (row: LockedRow): ChainHead =>
  CHAIN_HEADS.fromRow({
    chain_key: row.head_chain_key,
    position: row.head_position,
    hash: row.head_hash,
    at: row.head_at,
  });
