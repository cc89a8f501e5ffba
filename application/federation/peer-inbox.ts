import type { MessageRoute } from '../../domain/federation/message.ts';
import type { PeerReceiver, PeerReceivers } from './peer-receivers.port.ts';
import type { ReceiveMessage } from './receive-message.ts';

/** The two routes of messages, behind the admission of a request. */
export class PeerInbox implements PeerReceivers {
  readonly stateTransitions: PeerReceiver;
  readonly signals: PeerReceiver;

  constructor(receive: ReceiveMessage) {
    const route = (name: MessageRoute): PeerReceiver => ({
      execute: (peer, body, requestId) => receive.of(name, peer, body, 'request', requestId),
    });
    this.stateTransitions = route('state-transitions');
    this.signals = route('signals');
  }
}
