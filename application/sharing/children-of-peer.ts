import type { Child } from '../../domain/record/child.ts';
import type { ChildClaim } from '../../domain/record/record-statement.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** Messages that are read at once. */
const PAGE = 16;

/**
 * The children that live under the mirror of a record: as the newest CASCADE_VERIFIED among the peer's entries says. None
 * where the peer never sealed one.
 */
export const childrenOfPeer = async (
  stores: Pick<Stores, 'federation'>,
  parent: RecordState,
): Promise<readonly Child[]> => {
  for (let from = parent.federation?.received ?? 0; from > 0; from -= PAGE) {
    const page = await stores.federation.incomingDown(parent.id, from, PAGE);
    for (const { entries } of page)
      for (const bytes of entries.toReversed()) {
        const predicate = readEntry(bytes)?.predicate;
        if (predicate?.['entryType'] === 'CASCADE_VERIFIED')
          return (predicate['children'] as unknown as readonly ChildClaim[]).map((claim) =>
            childOf(parent, claim),
          );
      }
  }
  return [];
};

/** The peer tells of a child how it ended, and nothing else: the rest of it is unknown here. */
const childOf = (parent: RecordState, { id, status, disputed, headHash }: ChildClaim): Child => ({
  record: {
    ...parent,
    id,
    status,
    disputed,
    schema: { ...parent.schema, type: '', version: 1 },
    principalAgentId: parent.performerAgentId ?? parent.principalAgentId,
    performerAgentId: null,
    parentRecordId: parent.id,
    depth: parent.depth + 1,
    // What was rejected never began; what was cancelled counts only where somebody worked on it, which is not told.
    activatedAt: status === 'REJECTED' || status === 'CANCELLED' ? null : parent.createdAt,
    latestCompletionId: null,
  },
  headHash,
});
