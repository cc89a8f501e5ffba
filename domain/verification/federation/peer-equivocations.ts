import { readEntry } from '../../vault/open-entry.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { SideEntry, SideMessage } from './federated-side.ts';
import { predicateIn } from './peer-applied-steps.ts';
import type { ReadMessage } from '../read/read-federation.ts';

/** A sequence of which a chain says that the peer signed two statements under it. */
export interface ToldEquivocation {
  readonly sequence: number;
  /** `shown`: the file holds both. `doubtful`: it does, and one is by a key that whoever stole it may have used. */
  readonly proof: 'shown' | 'doubtful' | 'none';
  /** SHA-256 of both statements, lowercase hex. */
  readonly hashes: readonly [first: string, second: string];
}

/** Whether a message is the second of its sequence: its receiver answered with PEER_EQUIVOCATION. */
export const isSecondStatement = ({
  direction,
  attestation,
}: Pick<ReadMessage, 'direction' | 'attestation'>): boolean =>
  direction === 'in' &&
  attestation !== null &&
  readEntry(attestation)?.predicate['entryType'] === 'PEER_EQUIVOCATION';

/**
 * Holds each equivocation that a chain seals against the statements that the file has of its sequence. That each of these is
 * signed by the peer, and in its place, is checked where it is read.
 */
export const equivocationsOf = (
  entries: readonly SideEntry[],
  messages: readonly SideMessage[],
  fail: (detail: string) => void,
): readonly ToldEquivocation[] => {
  const received = messages.filter(({ direction }) => direction === 'in');
  for (const { isSecond, sequence, hash, attestation } of received)
    if (isSecond && attestation?.statementHash !== hash)
      fail(`the second statement ${sequence} of the peer is not the one that its answer names`);
  return entries.flatMap(({ entryType, predicate, position }): readonly ToldEquivocation[] => {
    if (entryType !== 'PEER_EQUIVOCATION') return [];
    const { sequence, statementHash, otherHash } = predicate;
    const ofSequence = received.filter((message) => message.sequence === sequence);
    const first = ofSequence.find(({ isSecond, hash }) => !isSecond && hash === otherHash);
    const second = ofSequence.find(({ isSecond, hash }) => isSecond && hash === statementHash);
    if (!first)
      fail(
        `the equivocation at position ${position} names no statement ${String(sequence)} of the file`,
      );
    const proof =
      !first || !second ? 'none' : first.isDoubtful || second.isDoubtful ? 'doubtful' : 'shown';
    const hashes = [String(otherHash), String(statementHash)] as const;
    return [{ sequence: Number(sequence), proof, hashes }];
  });
};

/** What an equivocation is worth, in words. @param isBroken something of the file did not verify. */
export const equivocationText = (
  { sequence, proof, hashes }: ToldEquivocation,
  { hubId, root, isBroken }: { hubId: string; root: string; isBroken: boolean },
): string => {
  if (proof === 'none')
    return `that the peer signed a second statement ${sequence} is the word of this hub alone: the file holds the first`;
  if (proof === 'doubtful')
    return `two different statements ${sequence} bear the signature of hub ${hubId}, and one is by a key that was retired as compromised: whoever has that key may have signed it`;
  if (isBroken)
    return `the file holds two different statements ${sequence} of the peer, and does not verify: it proves nothing against hub ${hubId}`;
  return `proven: hub ${hubId} signed two different statements ${sequence} of this record, sha256:${hashes[0]} and sha256:${hashes[1]}; both signatures verify by the keys that sha256:${root} leads to`;
};

/** Of each statement to the peer: what the peer answered, where an entry that it sent says something else of the same. */
export const twofoldAnswers = (
  messages: readonly SideMessage[],
  witnessed: readonly ChainRow[],
  hubId: string,
): readonly string[] => {
  const byPosition = new Map(witnessed.map(({ position, hash }) => [position, hash]));
  const attested = new Map(witnessed.flatMap(attestedIn));
  return messages.flatMap(({ direction, sequence, attestation }) => {
    if (direction !== 'out' || !attestation) return [];
    const { position, hash } = attestation;
    const there = byPosition.get(position ?? 0);
    if (there !== undefined && there !== hash)
      return [
        `hub ${hubId} signed two entries at position ${position}: the answer to statement ${sequence}, and the one that it sent`,
      ];
    const other = attested.get(sequence);
    return other !== undefined && other !== hash
      ? [
          `hub ${hubId} signed two answers to statement ${sequence}: the one that it gave, and the one in the entries that it sent`,
        ]
      : [];
  });
};

const attestedIn = ({
  entryType,
  statement,
  hash,
}: ChainRow): readonly (readonly [number, string])[] => {
  if (entryType !== 'PEER_STATEMENT_ATTESTED' || hash === undefined) return [];
  const sequence = predicateIn(statement)?.['sequence'];
  return typeof sequence === 'number' ? [[sequence, hash]] : [];
};
