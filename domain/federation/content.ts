import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { hashJson, hashText } from '../kernel/digest.ts';
import type { Dispute } from '../dispute/dispute.ts';
import type { RecordChange } from '../record/record-change.ts';

export type ContentKind = 'criteria' | 'message' | 'evidence' | 'dispute';

/** One content. Text is hashed as UTF-8, everything else in its RFC 8785 form. */
export interface ContentItem {
  readonly kind: ContentKind;
  /** SHA-256, lowercase hex, as the entry seals it. */
  readonly hash: string;
  readonly value: string | JsonObject;
}

/** What the entry of an action hashes, by the action: content that the other hub cannot have yet. */
const HASHED: ReadonlyMap<string, readonly ContentKind[]> = new Map([
  ['create', ['criteria', 'message']],
  ['counter-propose', ['criteria', 'message']],
  ['submit-completion', ['evidence']],
  ['open-dispute', ['dispute']],
  ['submit-dispute-evidence', ['dispute']],
]);

/** A content that an entry binds. */
export interface NeededContent extends Pick<ContentItem, 'kind' | 'hash'> {
  readonly action: string;
}

/** The contents that an entry binds and that travel with it. */
export const contentsNeeded = (action: string, predicate: JsonObject): readonly NeededContent[] =>
  (HASHED.get(action) ?? []).flatMap((kind) => {
    const hash = hashIn(kind, predicate);
    return typeof hash === 'string' ? [{ action, kind, hash }] : [];
  });

const hashIn = (kind: ContentKind, predicate: JsonObject): JsonValue | undefined => {
  switch (kind) {
    case 'criteria':
      return predicate['criteriaHash'];
    case 'message':
      return predicate['messageHash'];
    case 'evidence':
      return predicate['evidenceHash'];
    case 'dispute':
      return isObject(predicate['dispute']) ? predicate['dispute']['contentHash'] : undefined;
  }
};

/** Why contents are not what an entry binds; null where every hash fits and nothing is beside them. */
export const contentFault = (
  needed: readonly NeededContent[],
  items: readonly ContentItem[],
): string | null => {
  for (const { action, kind, hash } of needed) {
    const item = items.find((candidate) => candidate.kind === kind && candidate.hash === hash);
    if (!item) return `the ${kind} with the hash ${hash} is missing`;
    if (hashOf(item.value) !== hash) return `the ${kind} has another hash than ${hash}`;
    if (!hasForm(action, kind, item.value)) return `the ${kind} has another form`;
  }
  return items.length === needed.length ? null : 'there is content that no entry of it hashes';
};

/** What is kept of a content is what was hashed: no member more, and none of another type. */
const hasForm = (action: string, kind: ContentKind, value: string | JsonObject): boolean => {
  if (kind === 'message') return typeof value === 'string';
  if (typeof value === 'string') return false;
  if (kind !== 'dispute') return true;
  const { grounds, statement, evidence } = value;
  return action === 'open-dispute'
    ? Object.keys(value).length === 3 &&
        isTextOrNull(grounds) &&
        isTextOrNull(statement) &&
        (evidence === null || isObject(evidence))
    : Object.keys(value).length === 1 && isObject(evidence);
};

const isTextOrNull = (value: JsonValue | undefined): boolean =>
  value === null || typeof value === 'string';

const hashOf = (value: string | JsonObject): string =>
  typeof value === 'string' ? hashText(value) : hashJson(value);

/** The contents that the entry of a change binds. */
export const contentsOf = (change: RecordChange): readonly ContentItem[] => {
  const { after, transition } = change;
  switch (transition.action) {
    case 'create':
      return [item('criteria', after.criteria), ...messageItem(after.message)];
    case 'counter-propose':
      return after.counterProposal
        ? [
            item('criteria', after.counterProposal.criteria),
            ...messageItem(after.counterProposal.message),
          ]
        : [];
    case 'submit-completion':
      return change.completion ? [item('evidence', change.completion.evidence)] : [];
    case 'open-dispute':
      return change.dispute ? [item('dispute', openingOf(change.dispute as Dispute))] : [];
    case 'submit-dispute-evidence': {
      const piece = (change.dispute as Dispute | undefined)?.evidence.at(-1);
      return piece ? [item('dispute', { evidence: piece.content })] : [];
    }
    default:
      return [];
  }
};

const openingOf = ({ grounds, statement, evidence }: Dispute): JsonObject => ({
  grounds,
  statement,
  evidence: evidence[0]?.content ?? null,
});

const item = (kind: ContentKind, value: string | JsonObject): ContentItem => ({
  kind,
  hash: hashOf(value),
  value,
});

const messageItem = (message: string | null): readonly ContentItem[] =>
  message === null ? [] : [item('message', message)];

/** The content of a kind among those of a message. */
export const contentOfKind = (
  items: readonly ContentItem[],
  kind: ContentKind,
): string | JsonObject | null => items.find((candidate) => candidate.kind === kind)?.value ?? null;
