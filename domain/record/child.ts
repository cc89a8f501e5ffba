import type { JsonObject } from '../kernel/canonical-json.ts';
import type { ChildClaim } from './record-statement.ts';
import type { CascadeChild } from './cascade.ts';
import type { RecordState } from './record-state.ts';

/** A record that was delegated under another, with the head of its chain, lowercase hex. */
export interface Child {
  readonly record: RecordState;
  readonly headHash: string;
}

export const childClaim = ({ record, headHash }: Child): ChildClaim => ({
  id: record.id,
  status: record.status,
  headHash,
  disputed: record.disputed,
});

/** A child as the cascade rule sees it. */
export const cascadeChild = ({ record }: Child): CascadeChild => ({
  status: record.status,
  becameActive: record.activatedAt !== null,
  hasCompletion: record.latestCompletionId !== null,
});

/** A child as gate expressions see it. */
export const childInput = ({ record }: Child): JsonObject => ({
  id: record.id,
  type: record.schema.type,
  contractVersion: record.schema.version,
  status: record.status,
  disputed: record.disputed,
  principalAgentId: record.principalAgentId,
  performerAgentId: record.performerAgentId,
  depth: record.depth,
});
