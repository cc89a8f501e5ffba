import {
  isStatementOf,
  type OutgoingMessage,
} from '../../domain/federation/federation-store.port.ts';
import type { PeerEntry } from '../../domain/federation/peer-chain.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';

/**
 * Whether the attestations among a peer's entries are about what it was sent, and the ones that it gave; and whether each that
 * it gave stands where it says.
 *
 * @param sent to the peer of this record.
 * @returns what is wrong; null where nothing is.
 */
export const attestationFault = (
  sent: readonly OutgoingMessage[],
  entries: readonly PeerEntry[],
): string | null => {
  const given = new Map(sent.flatMap(attestedAt));
  for (const { position, bytes } of entries) {
    const answer = given.get(position);
    if (answer && encodeBase64(answer) !== encodeBase64(bytes))
      return `its answer at position ${position} is not on its chain`;
  }
  const bySequence = new Map(sent.map((message) => [message.sequence, message]));
  for (const { entryType, predicate, bytes } of entries) {
    if (entryType !== 'PEER_STATEMENT_ATTESTED') continue;
    const sequence = Number(predicate['sequence']);
    const message = bySequence.get(sequence);
    if (!message || !isStatementOf(message, predicate['statementHash']))
      return `it attests a statement ${sequence} that was never sent`;
    if (message.answer && encodeBase64(message.answer.attestation) !== encodeBase64(bytes))
      return `the attestation of ${sequence} is another one than was given`;
  }
  return null;
};

/** An answer that stands on the peer's chain, by its position there. */
const attestedAt = ({
  answer,
}: OutgoingMessage): readonly (readonly [position: number, attestation: Uint8Array])[] => {
  const position = answer && readEntry(answer.attestation)?.header.chain?.position;
  return typeof position === 'number' ? [[position, answer!.attestation]] : [];
};
