import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';

/** How an org's log of reads was when a round covered it, as ORG_READS_COVERED on the platform chain says. */
export interface CoveredReads {
  readonly orgId: Uuid;
  readonly treeSize: number;
  /** Of the tree over the first `treeSize` leaves, 32 bytes as lowercase hex. */
  readonly treeRoot: string;
}

/** The logs that one entry covers at most, so that it stays well below 65,535 bytes. */
export const MAX_COVERED_AT_ONCE = 300;

export const coveredMembers = (logs: readonly CoveredReads[]): JsonObject => ({
  logs: logs.map(({ orgId, treeSize, treeRoot }) => ({ orgId, treeSize, treeRoot })),
});

/** @returns null if these are not the members that `coveredMembers` writes. */
export const coveredReadsIn = ({ logs }: JsonObject): readonly CoveredReads[] | null =>
  Array.isArray(logs) && logs.every(isCoveredReads) ? logs : null;

const isCoveredReads = (value: unknown): boolean => {
  const { orgId, treeSize, treeRoot } = (value ?? {}) as Partial<Record<string, unknown>>;
  return (
    typeof orgId === 'string' &&
    Number.isSafeInteger(treeSize) &&
    (treeSize as number) > 0 &&
    typeof treeRoot === 'string' &&
    /^[0-9a-f]{64}$/.test(treeRoot)
  );
};
