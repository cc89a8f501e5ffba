import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../kernel/canonical-json.ts';
import { isBeside } from '../vault/entry-type.ts';
import type { PeerEntry } from './peer-chain.ts';

/** A message that home sent to the mirror. */
export interface ToldMessage {
  readonly isSignal: boolean;
  /** Of the last of its entries. */
  readonly predicate: JsonObject;
}

/** What a mirror repeats of home's entry, in its own. */
const REPEATED = [
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
  'gate',
  'encryption',
  'cancelledBy',
  'reference',
  'dispute',
] as const;

/** What the offer says besides, for the whole record. */
const OFFERED = ['platform', 'platformRef', 'gateMode', 'operatingMode', 'depth'] as const;

/**
 * Whether home's part of a mirror's chain is what home told it: each entry that the mirror made by its peer's word comes
 * before its attestation of the message that said so, repeats it, and there is none without.
 *
 * @param entries that came with one message, in their order.
 * @param told the message of home by its sequence; null where none was sent.
 * @returns what is wrong, in words; null where nothing is.
 */
export const mirrorChainFault = (
  entries: readonly PeerEntry[],
  told: (sequence: number) => ToldMessage | null,
): string | null => {
  let followed: PeerEntry | null = null;
  for (const entry of entries) {
    const { entryType, predicate } = entry;
    if (entryType === 'PEER_STATEMENT_ATTESTED') {
      const sequence = Number(predicate['sequence']);
      const isApplied = predicate['outcome'] === 'applied';
      const said = isApplied ? told(sequence) : null;
      const fault = pairFault(followed, said, isApplied);
      if (fault) return `at its attestation of statement ${sequence} ${fault}`;
      followed = null;
    } else if (isOfPeer(entry)) {
      if (followed) return UNATTESTED;
      followed = entry;
    }
  }
  return followed ? UNATTESTED : null;
};

const UNATTESTED = 'it holds an entry by the word of home, of which it attests no statement';

const pairFault = (
  followed: PeerEntry | null,
  said: ToldMessage | null,
  isApplied: boolean,
): string | null => {
  if (!isApplied || said?.isSignal) return followed ? 'stands an entry that nobody told it' : null;
  if (!said) return 'nothing was told it';
  if (!followed) return 'no entry carries it out';
  const differing = REPEATED.filter(
    (member) => formOf(followed.predicate[member]) !== formOf(said.predicate[member]),
  );
  const terms = followed.position === 1 ? offeredFault(followed.predicate, said.predicate) : [];
  const all = [...differing, ...terms];
  return all.length === 0 ? null : `it says something else than was told it (${all.join(', ')})`;
};

const offeredFault = (followed: JsonObject, said: JsonObject): readonly string[] => {
  const [own, offered] = [followed['terms'], said['terms']];
  if (!isObject(own) || !isObject(offered)) return ['terms'];
  return [
    ...OFFERED.filter((member) => formOf(own[member]) !== formOf(offered[member])),
    ...(followed['expiresAt'] === said['expiresAt'] ? [] : ['expiresAt']),
  ];
};

const isOfPeer = ({ entryType, predicate }: PeerEntry): boolean =>
  !isBeside(entryType) && isObject(predicate['actor']) && predicate['actor']['kind'] === 'peer';

const formOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined ? undefined : canonicalJson(value);
