import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { contentHash, NOT_READ } from '../../domain/record/content.ts';
import { differingFacts, type RecordFacts } from '../../domain/record/record-facts.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { chainKindOf } from '../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../domain/vault/chain.ts';
import {
  openEntry,
  readEntry,
  type KeyLookup,
  type OpenedEntry,
} from '../../domain/vault/open-entry.ts';

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

/**
 * The signer never launders a database edit: the row must say what its chain states. Criteria that were not read are
 * carried along by their hash, which the chain states; whoever reads them compares the two.
 */
export const assertRowAgrees = (record: RecordState, facts: RecordFacts): void => {
  const differences = [...differingFacts(record, facts)];
  if (!isContent(record.criteria, record.criteriaHash)) differences.push('criteria');
  const { counterProposal: counter } = record;
  if (counter && !isContent(counter.criteria, counter.criteriaHash))
    differences.push('counterProposal');
  if (differences.length > 0) throw payloadDrift(record.id, differences.join(', '));
};

const isContent = (content: JsonObject, hash: string): boolean =>
  content === NOT_READ || contentHash(content) === hash;

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
  if (chainKindOf(head.chainKey) === 'record' && opened.predicate['recordId'] !== head.chainKey)
    throw payloadDrift(head.chainKey, 'head record');
  return opened;
};

/** The entry with the hash that a verified later entry names: it is as certain as the one that names it. */
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
