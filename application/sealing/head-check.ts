import { bytesEqual, hashJson, sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import { criteriaHashOnTable, type RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import {
  openEntry,
  readEntry,
  type KeyLookup,
  type OpenedEntry,
} from '../../domain/vault/open-entry.ts';
import type { ChainStore } from '../../domain/vault/chain-store.port.ts';

/** What the newest entries of a record's chain say of the record, member by member. A member that they do not tell is missing. */
export type HeadFacts = ReadonlyMap<string, unknown>;

type Predicate = Readonly<Record<string, unknown>>;

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
    ['openDisputeId', record.openDisputeId],
    ['disputed', record.disputed],
    ['activated', record.activatedAt !== null],
    ['terminalAt', record.terminalAt],
    ['cancelledBy', record.cancelledBy],
    ['latestSignalId', record.latestSignalId],
    ...schemaFacts(record.schema as unknown as Predicate),
  ]);

const schemaFacts = (schema: Predicate | undefined): readonly [string, unknown][] =>
  ['orgId', 'publisher', 'type', 'version', 'manifestDigest'].map((name) => [
    `schema.${name}`,
    schema?.[name],
  ]);

/** A stored row does not say what its signed chain says: somebody edited the database. Nothing is built on it. */
export const payloadDrift = (chainKey: string, what: string): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored row of ${chainKey} does not agree with its signed chain (${what}); nothing more is signed on it.`,
    {
      reason: 'payload_drift',
      suggestion:
        'Tell the operator: the database was changed behind the service. The chain still holds what was signed.',
    },
  );

/** The signer never launders a database edit: the row must say what the head of its chain says. */
export const assertRowAgrees = (record: RecordState, facts: HeadFacts): void => {
  const differences = [...factsOf(record)]
    .filter(([name, value]) => facts.has(name) && facts.get(name) !== value)
    .map(([name]) => name);
  if (hashJson(record.criteria) !== record.criteriaHash) differences.push('criteria');
  if (
    record.counterProposal &&
    hashJson(record.counterProposal.criteria) !== record.counterProposal.criteriaHash
  )
    differences.push('counterProposal');
  if (differences.length > 0) throw payloadDrift(record.id, differences.join(', '));
};

/**
 * Verifies the entry at a head that this process did not write itself: hash, place and signature.
 *
 * @returns what it says.
 */
export const verifyHead = async (
  head: ChainHead,
  entry: ChainEntry | null,
  keys: KeyLookup,
): Promise<OpenedEntry> => {
  if (!entry || !bytesEqual(sha256(entry.coseSign1), head.hash))
    throw payloadDrift(head.chainKey, 'head hash');
  const opened = await openEntry(entry.coseSign1, keys);
  if (!opened || opened.header.chain?.chainKey !== head.chainKey)
    throw payloadDrift(head.chainKey, 'head signature');
  if (opened.header.chain.position !== head.position || opened.predicate['at'] !== head.at)
    throw payloadDrift(head.chainKey, 'head row');
  return opened;
};

/** The entry that a verified head, or a verified later entry, names by this hash: it is then as sure as the one that names it. */
export const namedEntry = (
  chainKey: string,
  hash: Uint8Array | undefined,
  entry: ChainEntry | null,
): OpenedEntry => {
  const opened =
    entry && hash && bytesEqual(sha256(entry.coseSign1), hash) ? readEntry(entry.coseSign1) : null;
  if (!opened) throw payloadDrift(chainKey, 'an entry before the head');
  return opened;
};

/**
 * What the chain behind a verified head tells of the record, the newest word first. A signal tells nothing of its state,
 * and what follows its end not how it ended: then the entries before are asked too.
 */
export const factsBehind = async (
  chains: Pick<ChainStore, 'entryAt'>,
  head: ChainHead,
  opened: OpenedEntry,
): Promise<HeadFacts> => {
  const facts = new Map<string, unknown>();
  let entry = opened;
  for (let position = head.position - 1; ; position--) {
    for (const [name, value] of isSignal(entry)
      ? signalFacts(entry.predicate)
      : factsOfState(entry.predicate))
      if (!facts.has(name)) facts.set(name, value);
    if (!isSignal(entry) && !isAfterEnd(entry)) return facts;
    entry = namedEntry(
      head.chainKey,
      entry.header.chain?.previousHash,
      await chains.entryAt(head.chainKey, position),
    );
  }
};

const signalFacts = (predicate: Predicate): HeadFacts =>
  new Map<string, unknown>([['latestSignalId', predicate['signalId']]]);

const isAfterEnd = ({ predicate }: OpenedEntry): boolean => {
  const { from, to } = (predicate['transition'] ?? {}) as {
    readonly from?: unknown;
    readonly to?: unknown;
  };
  return from === to && ENDED.has(to);
};

const isSignal = ({ predicate }: OpenedEntry): boolean =>
  predicate['entryType'] === 'SIGNAL_EMITTED';

const factsOfState = (predicate: Predicate): HeadFacts => {
  const { from, to: status } = (predicate['transition'] ?? {}) as {
    readonly from?: unknown;
    readonly to?: unknown;
  };
  const latestCompletionId = predicate['completionId'] ?? null;
  const openDisputeId = openDispute(predicate['dispute'] as Predicate | undefined);
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
    ['openDisputeId', openDisputeId],
    ['disputed', openDisputeId !== null],
    ...(wasActive(from, status) === undefined
      ? []
      : [['activated', wasActive(from, status)] as const]),
    // When it ended, and by whom it was cancelled, is told by the entry that ended it.
    ...(from !== status && ENDED.has(status) ? [['terminalAt', predicate['at']] as const] : []),
    ...(from !== status ? [['cancelledBy', predicate['cancelledBy'] ?? null] as const] : []),
    ...schemaFacts(predicate['schema'] as Predicate | undefined),
  ]);
};

const ENDED: ReadonlySet<unknown> = TERMINAL;

/** Whether the work ever began; where a record expired or was cancelled, only the entry that ended it tells. */
const wasActive = (from: unknown, status: unknown): boolean | undefined => {
  const told =
    status === 'EXPIRED' || status === 'CANCELLED' ? (from === status ? null : from) : status;
  return told === null ? undefined : !NEVER_ACTIVE.has(told);
};
const NEVER_ACTIVE: ReadonlySet<unknown> = new Set(['CREATED', 'PROPOSED', 'RECORDED', 'REJECTED']);

/** Entries name a dispute while it is open, and at its end, which says so. */
const openDispute = (claim: Predicate | undefined): unknown =>
  claim && claim['phase'] !== 'RESOLVED' && claim['phase'] !== 'WITHDRAWN' ? claim['id'] : null;
