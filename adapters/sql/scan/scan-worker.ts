import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { ScanProgress, ScanResult } from '../../../application/ports/scan-result.ts';
import { scanVault } from '../../../application/vault/scan/scan-vault.ts';
import { hashWith } from '../../../domain/kernel/digest.ts';
import { innermost } from '../../../domain/kernel/root-cause.ts';
import { isDamage } from '../database/damage.ts';
import { errcodeOf } from '../sqlite/sqlite.ts';
import { openDatabase } from '../database/open-database.ts';
import { SqlScanSnapshot } from './scan-snapshot.ts';
import { RowMacs, type RowKey } from '../tables/row-macs.ts';

/** What the thread needs, to have a connection of its own. */
export interface ScanOrder {
  readonly url: string;
  readonly rowKeys: readonly RowKey[];
  readonly fingerprint: string;
}

export type ScanMessage =
  | { readonly progress: ScanProgress }
  | { readonly result: ScanResult }
  /** Of an error that goes to another thread by itself, the number would be lost. */
  | { readonly damage: DriverError };

export interface DriverError {
  readonly message: string;
  /** Of SQLite. */
  readonly errcode: unknown;
  /** Of MySQL. */
  readonly errno: unknown;
}

const say = (message: ScanMessage): void => parentPort?.postMessage(message);

hashWith((bytes) => {
  const digest = hash('sha256', bytes, 'buffer');
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
});

const stopping = new AbortController();
parentPort!.once('message', () => stopping.abort());

/** Runs in the thread of scan-thread.ts, once. An error that it throws ends the thread, and reaches who started it. */
const { url, rowKeys, fingerprint } = workerData as ScanOrder;
const database = openDatabase({ url, poolSize: 1 });
try {
  const result = await database.snapshot((reader) =>
    scanVault(new SqlScanSnapshot(reader, new RowMacs(rowKeys)), {
      fingerprint,
      onProgress: (progress) => say({ progress }),
      stopping: stopping.signal,
    }),
  );
  say({ result });
} catch (error) {
  if (!isDamage(error)) throw error;
  const root = innermost(error) as Error & Partial<DriverError>;
  say({ damage: { message: root.message, errcode: errcodeOf(root), errno: root.errno } });
} finally {
  await database.close();
  parentPort!.close();
}
