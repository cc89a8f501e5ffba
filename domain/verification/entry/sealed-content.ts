import type { JsonObject } from '../../kernel/canonical-json.ts';
import { hashJson, hashText } from '../../kernel/digest.ts';
import type { EntryFacts } from '../../record/entry-facts.ts';

/** A hash in an entry that stands for what a party said. */
export interface SealedContent {
  /** Lowercase hex; of whatever form in a hostile file. */
  readonly hash: string;
  /** Whether it is the hash of this content, in the form in which an export shows it. */
  isOf(content: JsonObject): boolean;
}

/**
 * What an entry seals of what a party said: the message of a proposal or a counter-proposal, as `{message}` and by the
 * hash of its UTF-8; what a dispute was opened with, or a later piece of its evidence, by the hash of the RFC 8785 form
 * of the whole. Null where the entry seals nothing of the kind.
 */
export const sealedContent = ({
  entryType,
  messageHash,
  dispute,
}: EntryFacts): SealedContent | null => {
  if (typeof messageHash === 'string')
    return {
      hash: messageHash,
      isOf: ({ message, ...others }) =>
        typeof message === 'string' &&
        Object.keys(others).length === 0 &&
        hashText(message) === messageHash,
    };
  const contentHash = OF_DISPUTES.has(entryType) ? dispute?.contentHash : null;
  return typeof contentHash === 'string'
    ? { hash: contentHash, isOf: (content) => hashJson(content) === contentHash }
    : null;
};

const OF_DISPUTES: ReadonlySet<unknown> = new Set(['DISPUTE_OPENED', 'DISPUTE_EVIDENCE_SUBMITTED']);
