import type { ScanProgress, ScanResult } from '../../../application/ports/scan-result.ts';
import type { VaultScan } from '../../../application/ports/vault-scan.ts';
import { INSTANT, INTEGER, json, nullable, TEXT, UUID } from '../tables/codec.ts';
import { column, derived } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const VAULT_SCANS = table('vault_scans', {
  id: column('id', UUID),
  inFlight: derived(
    'in_flight',
    nullable(TEXT),
    ({ completedAt }: Pick<VaultScan, 'completedAt'>) => (completedAt === null ? 'scan' : null),
  ),
  createdAt: column('created_at', INSTANT),
  attempts: column('attempts', INTEGER),
  progress: column('progress', nullable(json<ScanProgress>())),
  completedAt: column('completed_at', nullable(INSTANT)),
  result: column('result', nullable(json<ScanResult>())),
  failure: column('failure', nullable(TEXT)),
});
