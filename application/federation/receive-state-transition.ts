import type { PeerAnswer } from '../../domain/federation/message.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Carrier, MessageBody, SendingPeer } from './peer-facts.port.ts';

/** Takes a message of a peer: home's step on the mirror, or a step that a mirror asks of home. */
export class ReceiveStateTransition {
  /**
   * @throws NotaryError 422 with `attestation`, `currentState` and `attemptedState` where it is refused under seal;
   *   422 without an attestation where nothing of it can be believed; 409 SEQUENCE_GAP with `expectedSequence`.
   */
  execute(
    _peer: SendingPeer,
    _body: MessageBody,
    _carrier: Carrier,
    _requestId: string,
  ): Promise<PeerAnswer> {
    return Promise.reject(new NotaryError('SERVICE_UNAVAILABLE', 'Nothing is received yet.'));
  }
}
