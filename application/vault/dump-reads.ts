import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ReadsExtent } from '../../domain/transparency/org-reads-store.port.ts';
import type { ReadsSnapshot } from '../../domain/transparency/vault-snapshots.port.ts';
import {
  orgReadRow,
  orgReadsCheckpointRow,
} from '../../domain/verification/dump/rows/dump-rows.ts';

export interface ReadsCounts {
  reads: number;
  leftOut: number;
}

/** The leaves of every log of reads. @param onlyCovered leaves out those beyond the newest checkpoint of their log. */
export async function* leafRows(
  snapshot: ReadsSnapshot,
  keyId: string,
  onlyCovered: boolean,
  counts: ReadsCounts,
): AsyncIterable<JsonObject> {
  for await (const { orgId, covered } of logsOf(snapshot, keyId))
    for await (const page of snapshot.leaves(orgId))
      for (const leaf of page)
        if (onlyCovered && leaf.leafIndex >= covered) counts.leftOut++;
        else {
          counts.reads++;
          yield orgReadRow(leaf);
        }
}

/** @param leftOut witnesses whose entry is too new for the dump: what they signed could not be verified. */
export async function* readsCheckpointRows(
  snapshot: ReadsSnapshot,
  keyId: string,
  leftOut: ReadonlySet<Uuid>,
): AsyncIterable<JsonObject> {
  for await (const { orgId } of logsOf(snapshot, keyId))
    for await (const page of snapshot.checkpoints(orgId))
      for (const { cosignature, ...checkpoint } of page)
        yield orgReadsCheckpointRow({
          ...checkpoint,
          cosignature: cosignature && leftOut.has(cosignature.witnessKeyId) ? null : cosignature,
        });
}

/**
 * Whether the active key has covered what its predecessors signed in each log. Right after a rotation it has not yet, and
 * a verifier would take what they signed for the work of a leaked key.
 *
 * @param broken logs that no key covers again.
 */
export const areTakenOver = async (
  snapshot: ReadsSnapshot,
  keyId: string,
  broken: ReadonlySet<Uuid>,
): Promise<boolean> => {
  for await (const { orgId, covered, coveredByKey } of logsOf(snapshot, keyId))
    if (covered > 0 && coveredByKey === 0 && !broken.has(orgId)) return false;
  return true;
};

async function* logsOf(snapshot: ReadsSnapshot, keyId: string): AsyncIterable<ReadsExtent> {
  for await (const page of snapshot.extents(keyId)) yield* page;
}
