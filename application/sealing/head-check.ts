import { bytesEqual, hashJson, sha256, toHex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import { openEntry, type KeyLookup } from '../../domain/vault/open-entry.ts';

/** What the newest entry of a record's chain says of the record. */
export interface HeadFacts {
  readonly hash: string;
  readonly status: string;
  readonly criteriaHash: string;
  readonly completionId: string | null;
  readonly evidenceHash: string | null;
}

export const factsOf = (record: RecordState, hash: Uint8Array): HeadFacts => ({
  hash: toHex(hash),
  status: record.status,
  criteriaHash: record.criteriaHash,
  completionId: record.latestCompletionId,
  evidenceHash: record.latestEvidenceHash,
});

/** A stored row does not say what its signed chain says: somebody edited the database. Nothing is built on it. */
export const payloadDrift = (chainKey: string, what: string): NotaryError =>
  new NotaryError('CONFLICT', `The stored row of ${chainKey} does not agree with its signed chain (${what}); nothing more is signed on it.`, {
    reason: 'payload_drift',
    suggestion: 'Tell the operator: the database was changed behind the service. The chain still holds what was signed.',
  });

/** The signer never launders a database edit: the row must say what the head of its chain says. */
export const assertRowAgrees = (record: RecordState, facts: HeadFacts): void => {
  const differences = [
    record.status !== facts.status && 'status',
    record.criteriaHash !== facts.criteriaHash && 'criteriaHash',
    hashJson(record.criteria) !== facts.criteriaHash && 'criteria',
    record.latestCompletionId !== facts.completionId && 'latestCompletionId',
    record.latestEvidenceHash !== facts.evidenceHash && 'evidenceHash',
  ].filter((name) => name !== false);
  if (differences.length > 0) throw payloadDrift(record.id, differences.join(', '));
};

/**
 * Verifies the entry at a head that this process did not write itself: hash, place and signature.
 *
 * @returns its predicate.
 */
export const verifyHead = async (head: ChainHead, entry: ChainEntry | null, keys: KeyLookup): Promise<Readonly<Record<string, unknown>>> => {
  if (!entry || !bytesEqual(sha256(entry.coseSign1), head.hash)) throw payloadDrift(head.chainKey, 'head hash');
  const opened = await openEntry(entry.coseSign1, keys);
  if (!opened || opened.header.chain?.chainKey !== head.chainKey || opened.header.chain.position !== head.position) throw payloadDrift(head.chainKey, 'head signature');
  return opened.predicate;
};

export const factsOfPredicate = (predicate: Readonly<Record<string, unknown>>, hash: Uint8Array): HeadFacts => ({
  hash: toHex(hash),
  status: String((predicate['transition'] as { to?: unknown } | undefined)?.to),
  criteriaHash: String(predicate['criteriaHash']),
  completionId: (predicate['completionId'] as string | undefined) ?? null,
  evidenceHash: (predicate['evidenceHash'] as string | undefined) ?? null,
});
