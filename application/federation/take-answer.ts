import type { PeerAnswer, PeerRefusal } from '../../domain/federation/message.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { LaneHead } from './outgoing.port.ts';

/** Takes the peer's answer to a message of this hub. */
export class TakeAnswer {
  /**
   * Verifies the attestation, marks the message as answered and seals what follows from it: STEP_REFUSED on a mirror,
   * the end of a record whose offer was refused. An answer that was taken before changes nothing. `messages[]` is not
   * looked at: whoever calls hands each to its receiver, as what came in an answer.
   *
   * @throws NotaryError UNPROCESSABLE where the attestation does not verify; the message does not count as delivered.
   */
  execute(
    _message: LaneHead,
    _answer: PeerAnswer | PeerRefusal,
    _requestId: string,
  ): Promise<void> {
    return Promise.reject(new NotaryError('SERVICE_UNAVAILABLE', 'Nothing is taken yet.'));
  }
}
