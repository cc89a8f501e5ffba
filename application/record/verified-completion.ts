import { hashJson } from '../../domain/kernel/digest.ts';
import type { Completion } from '../../domain/record/completion.ts';
import { startsWork } from '../../domain/record/entry-facts.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../unit-of-work.port.ts';

/**
 * The latest completion, for a decision of the gates. Gates see more than the evidence, so all that they see of the
 * completion, and the times of its record, must agree with the chain.
 *
 * @throws CONFLICT with reason payload_drift where the rows say something else.
 */
export const verifiedCompletion = async (
  stores: Stores,
  record: NotaryRecord,
  chain: OpenChain,
): Promise<Completion> => {
  const { state } = record;
  const completion = await pendingCompletion(stores, record);
  let [submittedAt, activatedAt, createdAt]: unknown[] = [];
  let revisions = 0;
  for await (const entry of entriesBehind(stores, chain)) {
    const { entryType, at } = entry;
    if (entryType === 'COMPLETION_SUBMITTED') submittedAt ??= at;
    if (entryType === 'REVISION_REQUESTED') revisions += 1;
    if (startsWork(entry)) activatedAt = at;
    createdAt = at;
  }
  const agrees =
    submittedAt === completion.submittedAt &&
    completion.revision === revisions + 1 &&
    revisions === state.revisionCount &&
    activatedAt === state.activatedAt &&
    createdAt === state.createdAt;
  if (!agrees)
    throw payloadDrift(state.id, 'what the gates see of the completion and of the record');
  return completion;
};

/** The latest completion, if its stored evidence is the sealed one. */
export const pendingCompletion = async (
  stores: Stores,
  { state }: NotaryRecord,
): Promise<Completion> => {
  const completion =
    state.latestCompletionId === null
      ? null
      : await stores.completions.find(state.latestCompletionId);
  if (
    !completion ||
    completion.evidenceHash !== state.latestEvidenceHash ||
    hashJson(completion.evidence) !== completion.evidenceHash
  )
    throw payloadDrift(state.id, 'evidence');
  return completion;
};
