import type { PeerAnswer } from '../../domain/federation/message.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Carrier, MessageBody, SendingPeer } from './peer-facts.port.ts';

/** Takes a signal of home on the mirror. The refusals are those of a state transition. */
export class ReceiveSignal {
  execute(
    _peer: SendingPeer,
    _body: MessageBody,
    _carrier: Carrier,
    _requestId: string,
  ): Promise<PeerAnswer> {
    return Promise.reject(new NotaryError('SERVICE_UNAVAILABLE', 'Nothing is received yet.'));
  }
}
