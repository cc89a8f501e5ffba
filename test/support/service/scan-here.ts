import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import { openDatabase } from '../../../adapters/sql/database/open-database.ts';
import { RowMacs } from '../../../adapters/sql/tables/row-macs.ts';
import { SqlScanSnapshot } from '../../../adapters/sql/scan/scan-snapshot.ts';
import type { ScanResult } from '../../../application/ports/scan-result.ts';
import { scanVault } from '../../../application/vault/scan/scan-vault.ts';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';

/** What the thread of a scan does, on this one: to start a thread takes longer than most of these scans. */
export const scanHere = async ({
  container,
  vault,
  settings,
}: RunningService): Promise<ScanResult> => {
  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: 1 });
  const macs = new RowMacs(rowKeysOf(container.get(TOKENS.secrets).secretsKey));
  try {
    return await database.snapshot((reader) =>
      scanVault(new SqlScanSnapshot(reader, macs), {
        fingerprint: vault.fingerprint,
        onProgress: () => undefined,
        stopping: new AbortController().signal,
      }),
    );
  } finally {
    await database.close();
  }
};
