import type { JsonObject } from '../../kernel/canonical-json.ts';
import { hashJson } from '../../kernel/digest.ts';
import type { ParsedStatement } from '../../vault/parsed-statement.ts';
import type { PredicateKind } from '../../vault/statement.ts';
import { predicateFault } from './predicate-check.ts';

/**
 * Whether a statement that one hub signs for another has the form of its kind, and the subject that its predicate calls
 * for: asked when it is received, and again by whoever verifies it later.
 *
 * @returns what is wrong, in words; null where nothing is.
 */
export const toldFault = (
  kind: PredicateKind,
  { subjectName, subjectDigest, predicate }: NonNullable<ParsedStatement['statement']>,
): string | null => {
  const fault = predicateFault(kind, predicate);
  if (fault !== null) return fault;
  const [name, digest] = subjectOf(kind, predicate);
  return subjectName === name && subjectDigest === digest
    ? null
    : 'the subject is not the one that the predicate calls for';
};

const subjectOf = (kind: PredicateKind, predicate: JsonObject): readonly [string, unknown] =>
  kind === 'counter-attestation'
    ? [`statement/${String(predicate['statementHash'])}`, predicate['statementHash']]
    : [
        `record/${String(predicate['recordId'])}`,
        kind === 'settlement-signal' ? hashJson(predicate) : predicate['headHash'],
      ];

/**
 * Whether a counter-attestation says what came of a message. A peer that knows another statement under the sequence refuses
 * by telling of both.
 */
export const isAnswer = ({ entryType, outcome, otherHash }: JsonObject): boolean =>
  entryType === 'PEER_EQUIVOCATION'
    ? outcome === 'refused'
    : entryType === 'PEER_STATEMENT_ATTESTED' && otherHash === undefined;
