import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { createConnection } from 'mysql2/promise';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { load, type Load } from './load.ts';
import type { Row } from './table.ts';

const BODY = JSON.stringify({ text: 'x'.repeat(1000) });

/** The same server library, reading a 1 KB JSON body and answering a small one. */
export const rawHttp = async (seconds: number): Promise<Load> => {
  const app = new H3().post('/', async (event) => ({
    length: ((await event.req.json()) as { text: string }).text.length,
  }));
  const server = createServer(toNodeHandler(app) as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const result = await load({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    duration: seconds,
    method: 'POST',
    body: BODY,
    headers: { 'content-type': 'application/json' },
  });
  server.close();
  server.closeAllConnections();
  return result;
};

/** Operations a second of the runtime's WebCrypto on 1 KiB; signing 64 at once, verifying one at a time. */
export const rawSignatures = async (what: 'sign' | 'verify'): Promise<number> => {
  const keys = (await crypto.subtle.generateKey('Ed25519', false, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const message = randomBytes(1024);
  const signature = await crypto.subtle.sign('Ed25519', keys.privateKey, message);
  const once =
    what === 'sign'
      ? () => crypto.subtle.sign('Ed25519', keys.privateKey, message)
      : () => crypto.subtle.verify('Ed25519', keys.publicKey, signature, message);
  return repeatFor(1500, what === 'sign' ? 64 : 1, once);
};

/** What each choice of SIGNER_CRYPTO signs: the reason for the default. */
export const signerProviders = async (): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const name of Object.keys(CRYPTO_PROVIDERS) as (keyof typeof CRYPTO_PROVIDERS)[]) {
    for (const algorithm of ['Ed25519', 'ES256'] as const) {
      const { signer } = await new SoftwareKeys(
        randomBytes(32),
        CRYPTO_PROVIDERS[name],
        new SystemClock(),
      ).generate(algorithm);
      const message = randomBytes(1024);
      rows.push({
        what: `signer ${name}, ${algorithm}, 64 at once`,
        perSecond: await repeatFor(1000, 64, () => signer.sign(message)),
      });
    }
  }
  return rows;
};

const ENTRY = 2048;
const GROUP = 32;

/** Rows of 2 KiB, 32 a transaction, through the driver itself, each commit on the disk. */
export const rawInsertsSqlite = async (seconds: number): Promise<number> => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-bench-'));
  const database = new DatabaseSync(join(directory, 'raw.sqlite'));
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, entry BLOB)',
  );
  const insert = database.prepare('INSERT INTO t (entry) VALUES (?)');
  const entry = randomBytes(ENTRY);
  const rate = await repeatFor(seconds * 1000, 1, () => {
    database.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < GROUP; i++) insert.run(entry);
    database.exec('COMMIT');
    return Promise.resolve();
  });
  database.close();
  rmSync(directory, { recursive: true });
  return rate * GROUP;
};

export const rawInsertsMysql = async (url: string, seconds: number): Promise<number> => {
  const connection = await createConnection(url);
  await connection.query('CREATE TEMPORARY TABLE IF NOT EXISTS warm (id INT)');
  await connection.query('DROP TABLE IF EXISTS notary_bench_raw');
  await connection.query(
    'CREATE TABLE notary_bench_raw (id BIGINT AUTO_INCREMENT PRIMARY KEY, entry MEDIUMBLOB)',
  );
  const rows = Array.from({ length: GROUP }, () => [randomBytes(ENTRY)]);
  const rate = await repeatFor(seconds * 1000, 1, () =>
    connection.query('INSERT INTO notary_bench_raw (entry) VALUES ?', [rows]),
  );
  await connection.query('DROP TABLE notary_bench_raw');
  await connection.end();
  return rate * GROUP;
};

/** Calls a second, so many at once. */
export const repeatFor = async (
  ms: number,
  atOnce: number,
  once: () => Promise<unknown>,
): Promise<number> => {
  for (let i = 0; i < 50; i++) await once();
  const started = performance.now();
  let calls = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - started < ms) {
        await once();
        calls += 1;
      }
    }),
  );
  return (calls * 1000) / (performance.now() - started);
};

type CryptoKeyPair = Extract<
  Awaited<ReturnType<typeof crypto.subtle.generateKey>>,
  { publicKey: unknown }
>;
