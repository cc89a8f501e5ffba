import { readSignalMessage } from '../../domain/federation/read-message.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import type { Vault } from '../sealing/vault.ts';
import { assertAddressed } from './assert-addressed.ts';
import type { Carrier, MessageBody, SendingPeer } from '../sharing/peer-facts.ts';
import type { TakeMessage } from './take-message.ts';
import type { VerifyMessage } from './verify-message.ts';

/** Takes a signal of home on the mirror. The refusals are those of a state transition. */
export class ReceiveSignal {
  constructor(
    private readonly verify: VerifyMessage,
    private readonly takeMessage: TakeMessage,
    private readonly vault: Vault,
  ) {}

  async execute(
    peer: SendingPeer,
    body: MessageBody,
    carrier: Carrier,
    requestId: string,
  ): Promise<PeerAnswer> {
    const message = readSignalMessage(body);
    assertAddressed(message, peer.hubId, this.vault.hub.hubId);
    const verified = () => this.verify.signal(peer, message, carrier);
    const received = { envelope: message, route: 'signals', verified } as const;
    return this.takeMessage.take(peer, received, requestId);
  }
}
