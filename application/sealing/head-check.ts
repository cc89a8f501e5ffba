import { bytesEqual, hashJson, sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { criteriaHashOnTable, type RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import { openEntry, type KeyLookup } from '../../domain/vault/open-entry.ts';

/** What the newest entry of a record's chain says of the record, member by member. */
export type HeadFacts = ReadonlyMap<string, unknown>;

/** The members of a record that its chain seals, under the names that a difference is told by. */
export const factsOf = (record: RecordState): HeadFacts =>
  new Map<string, unknown>([
    ['status', record.status],
    ['criteriaHash', criteriaHashOnTable(record)],
    ['orgId', record.orgId],
    ['principalAgentId', record.principalAgentId],
    ['performerAgentId', record.performerAgentId],
    ['parentRecordId', record.parentRecordId],
    ['latestCompletionId', record.latestCompletionId],
    ['evidenceHash', record.latestEvidenceHash],
    ['completionPending', record.completionPending],
    ...schemaFacts(record.schema as unknown as Readonly<Record<string, unknown>>),
  ]);

const schemaFacts = (schema: Readonly<Record<string, unknown>> | undefined): readonly [string, unknown][] =>
  ['orgId', 'publisher', 'type', 'version', 'manifestDigest'].map((name) => [`schema.${name}`, schema?.[name]]);

/** A stored row does not say what its signed chain says: somebody edited the database. Nothing is built on it. */
export const payloadDrift = (chainKey: string, what: string): NotaryError =>
  new NotaryError('CONFLICT', `The stored row of ${chainKey} does not agree with its signed chain (${what}); nothing more is signed on it.`, {
    reason: 'payload_drift',
    suggestion: 'Tell the operator: the database was changed behind the service. The chain still holds what was signed.',
  });

/** The signer never launders a database edit: the row must say what the head of its chain says. */
export const assertRowAgrees = (record: RecordState, facts: HeadFacts): void => {
  const differences = [...factsOf(record)].filter(([name, value]) => facts.get(name) !== value).map(([name]) => name);
  if (hashJson(record.criteria) !== record.criteriaHash) differences.push('criteria');
  if (record.counterProposal && hashJson(record.counterProposal.criteria) !== record.counterProposal.criteriaHash) differences.push('counterProposal');
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
  if (!opened || opened.header.chain?.chainKey !== head.chainKey) throw payloadDrift(head.chainKey, 'head signature');
  if (opened.header.chain.position !== head.position || opened.predicate['at'] !== head.at) throw payloadDrift(head.chainKey, 'head row');
  return opened.predicate;
};

export const factsOfPredicate = (predicate: Readonly<Record<string, unknown>>): HeadFacts => {
  const status = (predicate['transition'] as { readonly to?: unknown } | undefined)?.to;
  const latestCompletionId = predicate['completionId'] ?? null;
  return new Map<string, unknown>([
    ['status', status],
    ['criteriaHash', predicate['criteriaHash']],
    ['orgId', predicate['orgId']],
    ['principalAgentId', predicate['principalAgentId']],
    ['performerAgentId', predicate['performerAgentId']],
    ['parentRecordId', predicate['parentRecordId'] ?? null],
    ['latestCompletionId', latestCompletionId],
    ['evidenceHash', predicate['evidenceHash'] ?? null],
    // A revision or a verdict changes the status, so an active record with a completion is one that waits.
    ['completionPending', status === 'ACTIVE' && latestCompletionId !== null],
    ...schemaFacts(predicate['schema'] as Readonly<Record<string, unknown>> | undefined),
  ]);
};
