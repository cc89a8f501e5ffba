/**
 * `npm run bench [-- --seconds N] [--json FILE]`: what the service does, beside what this machine can do at all,
 * measured in one run. Believe the ratios; the absolute figures are the machine's.
 *
 * With BENCH_MYSQL_URL (a server on which databases may be created) MySQL is measured too.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureAuthentication } from './auth-bench.ts';
import { measureDeliveries } from './deliveries-bench.ts';
import { verifyWholeDump } from './dump-bench.ts';
import { measureFederation } from './federation-bench.ts';
import { exportAndVerify } from './verify-bench.ts';
import {
  rawHttp,
  rawInsertsMysql,
  rawInsertsSqlite,
  rawSignatures,
  signerProviders,
} from './limits.ts';
import { measureListings } from './listing-bench.ts';
import { measureLoggedReads } from './reads-bench.ts';
import { receiptsOfMany } from './receipt-bench.ts';
import { measureScan } from './scan-bench.ts';
import { measureService } from './service-bench.ts';
import { measureRotation } from './rotation-bench.ts';
import { measureStream } from './stream-bench.ts';
import { measureSweep } from './sweep-bench.ts';
import { printTable, type Row } from './table.ts';
import { measureWrap } from './wrap-bench.ts';
import { hasWrk } from './wrk.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    json: { type: 'string' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const wanted = (part: string): boolean => !values.only || values.only.split(',').includes(part);

const rows: Row[] = [];
const limits = {
  http: await rawHttp(seconds / 2),
  sign: await rawSignatures('sign'),
  verify: await rawSignatures('verify'),
  sqlite: await rawInsertsSqlite(seconds / 2),
  mysql: process.env['BENCH_MYSQL_URL']
    ? await rawInsertsMysql(process.env['BENCH_MYSQL_URL'], seconds / 2)
    : null,
};
rows.push(
  {
    what: `limit: POST over the same HTTP library; load by ${hasWrk ? 'wrk' : 'autocannon, which takes up to a core itself'}`,
    perSecond: limits.http.perSecond,
    p50: limits.http.p50,
    p99: limits.http.p99,
  },
  { what: 'limit: Ed25519 sign, 64 at once', perSecond: limits.sign },
  { what: 'limit: Ed25519 verify, one core', perSecond: limits.verify },
  { what: 'limit: 32 durable appends a commit, SQLite', perSecond: limits.sqlite },
);
if (limits.mysql)
  rows.push({ what: 'limit: 32 durable appends a commit, MySQL', perSecond: limits.mysql });

if (wanted('signers')) rows.push(...(await signerProviders()));
if (wanted('sqlite'))
  rows.push(
    ...(await measureService({
      name: 'SQLite',
      env: {},
      seconds,
      limits: { http: limits.http.perSecond, inserts: limits.sqlite, sign: limits.sign },
    })),
  );
if (wanted('mysql') && limits.mysql && process.env['BENCH_MYSQL_URL']) {
  rows.push(
    ...(await measureService({
      name: 'MySQL',
      mysqlUrl: process.env['BENCH_MYSQL_URL'],
      env: {},
      seconds,
      limits: { http: limits.http.perSecond, inserts: limits.mysql, sign: limits.sign },
    })),
  );
}
if (wanted('reads')) {
  rows.push(...(await measureLoggedReads('SQLite', seconds)));
  if (process.env['BENCH_MYSQL_URL'])
    rows.push(...(await measureLoggedReads('MySQL', seconds, process.env['BENCH_MYSQL_URL'])));
}
if (wanted('stream')) {
  rows.push(...(await measureStream('SQLite', seconds)));
  if (process.env['BENCH_MYSQL_URL'])
    rows.push(...(await measureStream('MySQL', seconds, process.env['BENCH_MYSQL_URL'])));
}
if (wanted('auth')) rows.push(...(await measureAuthentication(seconds)));
if (wanted('listings')) rows.push(...(await measureListings()));
if (wanted('sweep')) rows.push(...(await measureSweep()));
if (wanted('rotation')) {
  rows.push(...(await measureRotation('SQLite')));
  if (process.env['BENCH_MYSQL_URL'])
    rows.push(...(await measureRotation('MySQL', process.env['BENCH_MYSQL_URL'])));
}
if (wanted('deliveries')) {
  rows.push(...(await measureDeliveries('SQLite', seconds)));
  if (process.env['BENCH_MYSQL_URL'])
    rows.push(...(await measureDeliveries('MySQL', seconds, process.env['BENCH_MYSQL_URL'])));
}
if (wanted('federation')) {
  rows.push(...(await measureFederation('SQLite')));
  if (process.env['BENCH_MYSQL_URL'])
    rows.push(...(await measureFederation('MySQL', process.env['BENCH_MYSQL_URL'])));
}
if (wanted('wrap')) rows.push(...(await measureWrap()));
if (wanted('receipts')) rows.push(await receiptsOfMany(limits.sign));
if (wanted('verify')) rows.push(await exportAndVerify(limits.verify), ...(await verifyWholeDump()));
if (wanted('scan')) rows.push(...(await measureScan(limits.verify)));

printTable(rows);
if (values.json)
  writeFileSync(values.json, `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
