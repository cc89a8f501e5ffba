import type { MessageRoute, PeerAnswer } from '../../domain/federation/message.ts';
import type { VerifiedPeer } from '../../domain/federation/peer.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { LaneHead, OutgoingMessages } from '../sharing/outgoing.port.ts';
import type { PeerReceiver, PeerReceivers } from './peer-receivers.ts';
import type { PeerReturned } from './peer-returned.ts';
import type { ReceiveMessage } from './receive-message.ts';

/** What an answer carries of the next messages: so many, and no more bytes of them. The rest comes by itself. */
const MAX_MESSAGES = 8;
const MAX_BYTES = 512 * 1024;

/** The two routes of messages, behind the admission of a request. */
export class PeerInbox implements PeerReceivers {
  readonly stateTransitions: PeerReceiver = this.route('state-transitions');
  readonly signals: PeerReceiver = this.route('signals');

  constructor(
    private readonly receive: ReceiveMessage,
    private readonly outgoing: Pick<OutgoingMessages, 'after'>,
    private readonly returned: PeerReturned,
  ) {}

  private route(route: MessageRoute): PeerReceiver {
    return { execute: (...asked) => this.take(route, ...asked) };
  }

  private async take(
    route: MessageRoute,
    peer: VerifiedPeer,
    body: JsonObject,
    requestId: string,
  ): Promise<object> {
    await this.returned.notice(peer.hubId);
    const answer = await this.receive.of(route, peer, body, 'request', requestId);
    return { ...answer, ...(await this.next(peer, body, answer)) };
  }

  /**
   * What home has to say next, so that the performer's side learns in one round trip what became of its step. On a mirror
   * no lane has the id of home's record, so its answers carry nothing.
   */
  private async next(
    { hubId }: VerifiedPeer,
    { recordId }: JsonObject,
    { outcome }: PeerAnswer,
  ): Promise<{ readonly messages?: readonly JsonValue[] }> {
    if (outcome === 'refused' || typeof recordId !== 'string') return {};
    const waiting = await this.outgoing.after({ recordId, peerHubId: hubId }, 0, MAX_MESSAGES);
    const messages = within(waiting);
    return messages.length === 0 ? {} : { messages };
  }
}

const within = (waiting: readonly LaneHead[]): readonly JsonValue[] => {
  const messages: JsonValue[] = [];
  let bytes = 0;
  for (const { body } of waiting) {
    if ((bytes += body.length) > MAX_BYTES) break;
    messages.push(JSON.parse(new TextDecoder().decode(body)) as JsonValue);
  }
  return messages;
};
