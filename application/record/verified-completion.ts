import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/**
 * The latest completion, for a decision of the gates. Gates see more than the evidence, so all that they see of the
 * completion must agree with the chain, as the record does already.
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
  if (
    completion.revision !== state.revisionCount + 1 ||
    completion.submittedAt !== (await submittedAt(stores, chain))
  )
    throw payloadDrift(state.id, 'what the gates see of the completion');
  return completion;
};

const submittedAt = async (stores: Stores, chain: OpenChain): Promise<JsonValue> => {
  for await (const { entryType, at } of entriesBehind(stores, chain))
    if (entryType === 'COMPLETION_SUBMITTED') return at;
  return null;
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
    completion.recordId !== state.id ||
    completion.evidenceHash !== state.latestEvidenceHash ||
    hashJson(completion.evidence) !== completion.evidenceHash
  )
    throw payloadDrift(state.id, 'evidence');
  return completion;
};
