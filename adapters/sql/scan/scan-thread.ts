import type { ScanResult } from '../../../application/ports/scan-result.ts';
import type {
  ScanOptions,
  VaultScanner,
} from '../../../application/vault/scan/vault-scanner.port.ts';
import { damaged } from '../base/database-error.ts';
import { scriptBeside, startThread } from '../sqlite/start-thread.ts';
import type { RowKey } from '../tables/row-macs.ts';
import type { ScanMessage, ScanOrder } from './scan-worker.ts';

const HEAP_MB = 512;

/**
 * Scans in a thread with a connection of its own: it reads, decodes, hashes and compares there, so that the thread of the
 * service does none of it. It starts with a scan and ends with it.
 */
export class ThreadedVaultScanner implements VaultScanner {
  constructor(
    private readonly url: string,
    private readonly rowKeys: () => readonly RowKey[],
  ) {}

  async scan({ fingerprint, onProgress, stopping }: ScanOptions): Promise<ScanResult> {
    stopping.throwIfAborted();
    const worker = startThread(scriptBeside(import.meta.url, 'scan-worker'), {
      workerData: { url: this.url, rowKeys: this.rowKeys(), fingerprint } satisfies ScanOrder,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    let stop: () => void = () => undefined;
    try {
      return await new Promise<ScanResult>((resolve, reject) => {
        stop = () => reject(stopping.reason as Error);
        stopping.addEventListener('abort', stop, { once: true });
        worker.on('message', (message: ScanMessage) => {
          if ('result' in message) resolve(message.result);
          else if ('damage' in message) {
            const { message: text, ...numbers } = message.damage;
            reject(damaged(Object.assign(new Error(text), numbers)));
          } else onProgress(message.progress);
        });
        worker.on('error', reject);
        worker.on('exit', (code) =>
          reject(new Error(`the thread of the scan ended with code ${code}`)),
        );
      });
    } finally {
      stopping.removeEventListener('abort', stop);
      // The driver aborts the whole process where a thread is taken away from it in the middle of a statement.
      worker.postMessage('stop');
      await ended;
    }
  }
}
