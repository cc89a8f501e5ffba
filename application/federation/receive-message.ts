import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { MessageRoute, PeerAnswer } from '../../domain/federation/message.ts';
import type { Budgets } from '../call/budgets.ts';
import type { AwaitHome } from '../sharing/await-home.ts';
import type { Carrier, MessageBody, SendingPeer } from '../sharing/peer-facts.ts';
import type { ReceiveSignal } from './receive-signal.ts';
import type { ReceiveStateTransition } from './receive-state-transition.ts';

/** Brings a message to its receiver, whichever way it came. */
export class ReceiveMessage {
  constructor(
    private readonly transitions: ReceiveStateTransition,
    private readonly signals: ReceiveSignal,
    private readonly mirrorOf: FederationReads['mirrorOf'],
    private readonly awaitHome: Pick<AwaitHome, 'isAwaited' | 'moved'>,
    private readonly budgets: Pick<Budgets, 'chargePeer'>,
  ) {}

  /** @throws NotaryError as the receivers do; RATE_LIMITED where one that came in an answer is beyond the quota of its peer. */
  async of(
    route: MessageRoute,
    peer: SendingPeer,
    body: MessageBody,
    carrier: Carrier,
    requestId: string,
  ): Promise<PeerAnswer> {
    // One that is posted was charged before it was parsed.
    if (carrier === 'answer')
      await this.budgets.chargePeer(peer.hubId, bytesOf(body), () => undefined);
    const receiver = route === 'signals' ? this.signals : this.transitions;
    const answer = await receiver.execute(peer, body, carrier, requestId);
    await this.tellWhoWaits(peer, body);
    return answer;
  }

  private async tellWhoWaits({ hubId }: SendingPeer, { recordId }: MessageBody): Promise<void> {
    if (!this.awaitHome.isAwaited || typeof recordId !== 'string') return;
    const mirror = await this.mirrorOf(hubId, recordId);
    if (mirror !== null) this.awaitHome.moved(mirror);
  }
}

/** As it would be sent alone. */
const bytesOf = (body: MessageBody): number =>
  new TextEncoder().encode(JSON.stringify(body)).length;
