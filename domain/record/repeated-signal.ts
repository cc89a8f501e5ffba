import { canonicalJson, type JsonObject } from '../kernel/canonical-json.ts';

const MEMBERS = [
  'entryType',
  'signalId',
  'supersedes',
  'recommendation',
  'outcome',
  'performerAgentId',
  'platformRef',
  'recordId',
  'disputeId',
] as const;

/**
 * Whether a settlement signal that a peer is told says what the signal on the record's chain says.
 *
 * @param told the predicate of the statement of the message.
 * @param sealed the predicate of the SIGNAL_EMITTED that came with it.
 */
export const repeatsSignal = (told: JsonObject, sealed: JsonObject): boolean =>
  MEMBERS.every(
    (member) => canonicalJson(told[member] ?? null) === canonicalJson(sealed[member] ?? null),
  );
