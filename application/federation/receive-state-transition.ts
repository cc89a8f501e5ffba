import { readTransitionMessage } from '../../domain/federation/read-message.ts';
import type { PeerAnswer } from '../../domain/federation/message.ts';
import type { Vault } from '../sealing/vault.ts';
import { assertAddressed } from './assert-addressed.ts';
import type { Carrier, MessageBody, SendingPeer } from '../sharing/peer-facts.ts';
import type { TakeMessage } from './take-message.ts';
import type { VerifyMessage } from './verify-message.ts';

/** Takes a message of a peer: home's step on the mirror, or a step that a mirror asks of home. */
export class ReceiveStateTransition {
  constructor(
    private readonly verify: VerifyMessage,
    private readonly takeMessage: TakeMessage,
    private readonly vault: Vault,
  ) {}

  /**
   * @throws NotaryError 422 with `attestation`, `currentState` and `attemptedState` where it is refused under seal;
   *   422 without an attestation where nothing of it can be believed; 409 SEQUENCE_GAP with `expectedSequence`.
   */
  async execute(
    peer: SendingPeer,
    body: MessageBody,
    carrier: Carrier,
    requestId: string,
  ): Promise<PeerAnswer> {
    const message = readTransitionMessage(body);
    assertAddressed(message, peer.hubId, this.vault.hub.hubId);
    const verified = () => this.verify.transition(peer, message, carrier);
    const received = { envelope: message, route: 'state-transitions', verified } as const;
    return this.takeMessage.take(peer, received, requestId);
  }
}
