import type { IncomingMessage } from '../../domain/federation/federation-store.port.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { NotaryError, type ErrorCode } from '../../domain/kernel/errors.ts';
import { isErrorCode, ERROR_CATALOGUE } from '../../domain/kernel/errors.ts';
import type { FederationState } from '../../domain/record/federated-record.ts';

/** What was looked at before the lock is no longer so. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** Under the lock: whoever processed the message meanwhile has its answer. */
export const assertStillNext = (
  { received, detached }: Pick<FederationState, 'received' | 'detached'>,
  sequence: number,
  isDetached = false,
): void => {
  if (sequence !== received + 1 || (detached !== null) !== isDetached) throw new Overtaken();
};

/** The next message of the peer, or one of which the answer is known. */
export const assertInOrder = (
  { received }: Pick<FederationState, 'received'>,
  sequence: number,
): void => {
  if (sequence > received + 1)
    throw new NotaryError(
      'SEQUENCE_GAP',
      `The message ${sequence} came, and ${received + 1} is the next one.`,
      { reason: 'SEQUENCE_GAP', expectedSequence: received + 1 },
    );
};

export const detachedRefusal = (reason: string): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The record is detached from its peer (${reason}); nothing more is taken of it.`,
    { reason: 'detached' },
  );

/** The first answer, given again. */
export const answerAgain = (message: IncomingMessage, messageId: string): PeerAnswer => {
  if (message.outcome === 'refused') throw refusalOf(message);
  return { messageId, outcome: 'applied', attestation: encodeBase64(message.attestation) };
};

/** A refusal under seal, as the peer is told it. */
export const refusalOf = ({
  attestation,
  refusal,
}: Pick<IncomingMessage, 'attestation' | 'refusal'>): NotaryError => {
  const { code = 'UNPROCESSABLE', detail = 'It was refused.' } = refusal ?? {};
  return new NotaryError(wireCode(code), detail, {
    reason: code,
    attestation: encodeBase64(attestation),
    ...(refusal?.currentState ? { currentState: refusal.currentState } : {}),
    ...(refusal?.attemptedState ? { attemptedState: refusal.attemptedState } : {}),
  });
};

/** A refusal is a 422 on the wire, whatever it is here. */
const wireCode = (code: string): ErrorCode =>
  isErrorCode(code) && ERROR_CATALOGUE[code].kind === 'unprocessable' ? code : 'UNPROCESSABLE';
