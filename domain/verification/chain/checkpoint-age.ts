import type { ChainRow } from '../entry/chain-entry.ts';
import type { Findings } from '../report/report.ts';
import type { CheckpointRow } from './verify-checkpoint.ts';

/** A checkpoint is not older than the entry that it covers. Both times are compared with the sealed ones elsewhere. */
export const checkCheckpointAges = (
  checkpoints: readonly (CheckpointRow | null)[],
  entries: readonly (ChainRow | null)[],
  findings: Findings,
): void => {
  const times = new Map(entries.flatMap((row) => (row?.hash ? [[row.hash, row.createdAt]] : [])));
  const seen = new Set<number>();
  for (const row of checkpoints) {
    const at = row && times.get(row.headHash);
    // The closing one may stand among the others.
    if (!at || seen.has(row.logIndex)) continue;
    seen.add(row.logIndex);
    if (row.createdAt < at)
      findings.fail(
        'checkpoints',
        'checkpoints',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        row,
        `the checkpoint is of ${row.createdAt}, before the entry that it covers (${at})`,
      );
  }
};
