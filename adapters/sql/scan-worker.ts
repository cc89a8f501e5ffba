import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { ScanProgress, ScanResult } from '../../application/vault/scan/scan-result.ts';
import { scanVault } from '../../application/vault/scan/scan-vault.ts';
import { hashWith } from '../../domain/kernel/digest.ts';
import { openDatabase } from './database.ts';
import { SqlScanSnapshot } from './scan-snapshot.ts';
import { RowMacs, type RowKey } from './rows/row-macs.ts';

/** What the thread needs, to have a connection of its own. */
export interface ScanOrder {
  readonly url: string;
  readonly rowKeys: readonly RowKey[];
  readonly fingerprint: string;
}

export type ScanMessage = { readonly progress: ScanProgress } | { readonly result: ScanResult };

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
} finally {
  await database.close();
  parentPort!.close();
}
