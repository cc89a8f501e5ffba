import { beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { SIGNING_KEY } from './sql/samples.ts';
import { useDatabase } from './sql/suite.ts';

const CHAINS = 100_000;
const LOOK = 500;
/** Pages at the beginning and at the end of the walk that are held against each other. */
const PART = 20;

/** Each chain has one entry, and a checkpoint that covers it: what a rotation walks through under its lock. */
const fill = (isMysql: boolean): readonly string[] => {
  const digit =
    '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
  const digits = String(CHAINS - 1)
    .split('')
    .map((_, at) => `d${at}`);
  const n = digits.map((name, at) => `${name}.d * ${10 ** at}`).join(' + ');
  const numbers = `(SELECT ${n} AS n FROM ${digits.map((name) => `${digit} ${name}`).join(', ')}) numbers`;
  // Spread, as records of many days are: their order is not that of the log.
  const spread = `((n * 7919) % ${CHAINS})`;
  const key = isMysql
    ? `CONCAT('01900000-', LPAD(LOWER(HEX(${spread} DIV 65536)), 4, '0'), '-7000-8000-', LPAD(LOWER(HEX(${spread})), 12, '0'))`
    : `printf('01900000-%04x-7000-8000-%012x', ${spread} / 65536, ${spread})`;
  const hash = isMysql ? `UNHEX(LPAD(HEX(n), 64, '0'))` : `CAST(printf('%032d', n) AS BLOB)`;
  const id = isMysql ? `UNHEX(LPAD(HEX(n), 32, '0'))` : `CAST(printf('%016d', n) AS BLOB)`;
  const zero = isMysql ? `UNHEX(REPEAT('00', 32))` : 'zeroblob(32)';
  return [
    `INSERT INTO chain_entries (chain_key, position, entry_type, record_id, org_id, signing_key_id, previous_hash, hash, cose_sign1, at, oidc_iss, oidc_sub) SELECT ${key}, 1, 'RECORD_CREATED', NULL, NULL, '${SIGNING_KEY}', ${zero}, ${hash}, x'00', 1, NULL, NULL FROM ${numbers}`,
    `INSERT INTO chain_heads (chain_key, position, hash, at) SELECT ${key}, 1, ${hash}, 1 FROM ${numbers}`,
    `INSERT INTO vault_checkpoints (log_index, id, chain_key, chain_kind, position, head_hash, signing_key_id, created_at, cose_sign1) SELECT n, ${id}, ${key}, 'record', 1, ${hash}, '${SIGNING_KEY}', 1, x'00' FROM ${numbers}`,
  ];
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

describe.each(databases())('100,000 chains on $name', (kind) => {
  const database = useDatabase(kind);
  const isMysql = kind.name === 'mysql';

  beforeAll(async () => {
    for (const sql of fill(isMysql)) await database().raw(sql);
    await database().raw(
      isMysql ? 'ANALYZE TABLE chain_entries, chain_heads, vault_checkpoints' : 'ANALYZE',
    );
  }, 300_000);

  it('are walked page by page, each at the price of the first, whoever looks at all of them', async () => {
    const { chains } = database().adapter.reads;
    const pages: number[] = [];
    let found = 0;
    for (let after = ''; ;) {
      const begun = performance.now();
      const page = await chains.chainsAfter(after, LOOK);
      pages.push(performance.now() - begun);
      found += page.length;
      const last = page.at(-1);
      if (!last) break;
      expect(last).toMatchObject({ newest: 1, head: { position: 1 }, covered: { position: 1 } });
      after = last.chainKey;
    }
    expect(found).toBe(CHAINS);
    const [first, end] = [median(pages.slice(0, PART)), median(pages.slice(-PART - 1, -1))];
    const total = pages.reduce((sum, ms) => sum + ms, 0);
    console.log(
      `${kind.name}: ${CHAINS} chains in ${Math.round(total)} ms; a page of ${LOOK} in ${first.toFixed(1)} ms at the beginning, ${end.toFixed(1)} ms at the end`,
    );
    // A walk that begins anew for each page would cost two hundred times as much at the end.
    expect(end).toBeLessThan(10 * first + 5);
  });
});
