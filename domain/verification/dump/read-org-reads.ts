import type { Findings } from '../report.ts';
import type { DumpSource } from './dump-source.port.ts';
import { dumpRows, faultIn } from './read-dump-rows.ts';

/** The log of reads of each org. Where a dump has one, this verifier says that it did not look. */
export const readOrgReads = async (source: DumpSource, findings: Findings): Promise<void> => {
  for (const [file, index] of FILES) {
    let last: readonly [string, number] | null = null;
    for await (const row of dumpRows<Record<string, string | number>>(source, file, findings)) {
      if (!row) continue;
      const place = [String(row.members['org_id']), Number(row.members[index])] as const;
      if (last && (place[0] < last[0] || (place[0] === last[0] && place[1] <= last[1])))
        faultIn(file, findings, `, line ${row.line}: it is out of order`);
      last = place;
      findings.cannotTell(
        'orgReads',
        'cannot tell: this verifier does not check the log of reads of an org',
      );
    }
  }
};

const FILES = [
  ['org_admin_reads', 'leaf_index'],
  ['org_admin_reads_checkpoints', 'tree_size'],
] as const;
