import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../kernel/canonical-json.ts';
import { isBeside } from '../../vault/entry-type.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import { stepDepartures } from '../../record/step-answer.ts';
import type { SideEntry, SideMessage } from './federated-side.ts';
import type { OwnSide } from './own-side.ts';

/**
 * Each message of the peer that was applied made one entry of this chain, and that entry says what the peer's own says: on a
 * mirror home's entry of the transition, at home what the mirror offered.
 *
 * @param witnessed the peer's entries, as they came.
 */
export const checkApplied = (
  { federated, entries }: Pick<OwnSide, 'federated' | 'entries'>,
  messages: readonly SideMessage[],
  witnessed: readonly ChainRow[],
  fail: (detail: string) => void,
): void => {
  const isHome = federated.claim.role === 'home';
  const applied = appliedOf(messages);
  const made = entries.filter(isOfPeer);
  const refusal = isHome && applied.length === 0 ? made[0]?.predicate['peer'] : undefined;
  if (isObject(refusal)) {
    const isOf = ({ direction, sequence, hash, attestation }: SideMessage): boolean =>
      direction === 'out' &&
      sequence === 1 &&
      attestation?.outcome === 'refused' &&
      hash === refusal['statementHash'];
    if (!messages.some(isOf))
      fail('the peer turned the offer down, and the file holds no such answer of it');
    return;
  }
  if (applied.length !== made.length)
    return fail(
      `${applied.length} messages of the peer were applied, and it made ${made.length} entries`,
    );
  const byHash = new Map(witnessed.map((row) => [row.hash, predicateIn(row.statement)]));
  for (const [index, message] of applied.entries()) {
    const { position, predicate } = made[index]!;
    const theirs = byHash.get(message.entries.at(-1)?.hash);
    if (!theirs) continue;
    const differing = isHome
      ? departuresFromOffer(predicate, theirs, message)
      : [...departures(predicate, theirs, TOLD), ...claimDeparture(predicate, theirs)];
    if (differing.length > 0)
      fail(
        `the entry at position ${position} differs from statement ${message.sequence} of the peer in ${differing.join(', ')}`,
      );
  }
};

/** One of each sequence, in order. */
const appliedOf = (messages: readonly SideMessage[]): readonly SideMessage[] => [
  ...new Map(
    messages
      .filter(
        ({ direction, isSignal, attestation }) =>
          direction === 'in' && !isSignal && attestation?.outcome === 'applied',
      )
      .map((message) => [message.sequence, message]),
  ).values(),
];

/** An entry that moves the record, and that the peer caused. */
const isOfPeer = ({ predicate, entryType }: SideEntry): boolean => {
  const { actor } = predicate;
  return isObject(actor) && actor['kind'] === 'peer' && !isBeside(entryType);
};

/** What a mirror repeats of home's entry. */
const TOLD = [
  'entryType',
  'transition',
  'schema',
  'principalAgentId',
  'performerAgentId',
  'criteriaHash',
  'messageHash',
  'completionId',
  'evidenceHash',
  'verdict',
  'reason',
  'cancelledBy',
  'expiresAt',
  'encryption',
  'reference',
  'dispute',
] as const;

const departuresFromOffer = (
  entry: JsonObject,
  offer: JsonObject,
  message: SideMessage,
): readonly string[] =>
  actionOf(offer) === message.predicate['action']
    ? stepDepartures(offer, entry)
    : ['transition.action'];

/** Where home says that its peer acted, and nowhere else, the mirror's entry names the step. */
const claimDeparture = (entry: JsonObject, theirs: JsonObject): readonly string[] => {
  const { actor } = theirs;
  const isOfPerformer = isObject(actor) && actor['kind'] === 'peer';
  return isOfPerformer === (entry['peer'] !== undefined) ? [] : ['peer'];
};

const departures = (
  entry: JsonObject,
  other: JsonObject,
  members: readonly string[],
): readonly string[] => members.filter((member) => formOf(entry[member]) !== formOf(other[member]));

const formOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined ? undefined : canonicalJson(value);

export const actionOf = ({ transition }: JsonObject): JsonValue | undefined =>
  isObject(transition) ? transition['action'] : undefined;

export const predicateIn = (statement: JsonValue | undefined): JsonObject | null => {
  const predicate = isObject(statement) ? statement['predicate'] : undefined;
  return isObject(predicate) ? predicate : null;
};
