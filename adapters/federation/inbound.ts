import type { PeerReceiver, PeerReceivers } from '../../application/federation/peer-receivers.ts';
import type { ReceiveHandshake } from '../../application/federation/receive-handshake.ts';
import type { VerifiedPeer } from '../../domain/federation/peer.ts';
import { PEER_PATHS, type PeerPath } from '../../domain/federation/request-signature.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { PeerRequest, type PeerFrameParts } from './peer-frame.ts';

export interface InboundParts extends PeerFrameParts {
  readonly handshakes: ReceiveHandshake;
  /** Absent where this process takes no messages. */
  readonly receivers: PeerReceivers | null;
  /** What limits by address count under. */
  readonly addressKey: (address: string) => string;
  readonly hub: { readonly hubId: Uuid };
}

/** Bytes of a handshake. Anybody may send one. */
const MAX_HANDSHAKE = 65_536;

/** What hubs call on each other. Each request carries the signature of a hub key instead of a credential. */
export const inboundRoutes = (parts: InboundParts, maxBodyBytes: number): readonly HttpRoute[] => [
  new HandshakeRoute(parts),
  ...(parts.receivers
    ? [
        new MessageRoute(
          parts,
          PEER_PATHS.stateTransitions,
          maxBodyBytes,
          parts.receivers.stateTransitions,
        ),
        new MessageRoute(parts, PEER_PATHS.signals, maxBodyBytes, parts.receivers.signals),
      ]
    : []),
];

/**
 * A message of a peer. In this order: the forms of the headers; the peer is ACTIVE, else 401; the time; the body, at the cost
 * of the address; the signature; the nonce; the quota of the peer; the parser; whom it is for.
 */
class MessageRoute implements HttpRoute {
  readonly method = 'POST';

  constructor(
    private readonly parts: InboundParts,
    readonly path: PeerPath,
    private readonly maxBodyBytes: number,
    private readonly receiver: PeerReceiver,
  ) {}

  async run(exchange: HttpExchange): Promise<void> {
    const request = new PeerRequest(this.parts, exchange, this.path, this.maxBodyBytes);
    try {
      const { peer, body } = await this.admitted(request);
      const answer = await this.receiver.execute(peer, body, exchange.requestId);
      exchange.reply({ status: 200, body: answer });
    } catch (error) {
      await request.refuse(error);
    } finally {
      request.end();
    }
  }

  private async admitted(
    request: PeerRequest,
  ): Promise<{ readonly peer: VerifiedPeer; readonly body: JsonObject }> {
    const { admit, hub } = this.parts;
    const claimed = await request.claim();
    const peer = await admit.activePeer(claimed);
    admit.assertTimely(claimed);
    const bytes = await request.readBody();
    const verified = await admit.admit(claimed, peer, bytes);
    await request.proven(verified.hubId);
    const body = await request.parse(bytes, verified.hubId);
    assertMeant(body, verified.hubId, hub.hubId);
    return { peer: verified, body };
  }
}

/** A handshake. Its sender may be a stranger, so all of it is at the cost of its address. */
class HandshakeRoute implements HttpRoute {
  readonly method = 'POST';
  readonly path = PEER_PATHS.handshake;

  constructor(private readonly parts: InboundParts) {}

  async run(exchange: HttpExchange): Promise<void> {
    const request = new PeerRequest(this.parts, exchange, this.path, MAX_HANDSHAKE);
    try {
      exchange.reply({ status: 200, body: await this.answer(request) });
    } catch (error) {
      await request.refuse(error);
    } finally {
      request.end();
    }
  }

  private async answer(request: PeerRequest): Promise<object> {
    const { admit, handshakes, budgets, addressKey } = this.parts;
    const { address, requestId, announcedBytes, allow } = request.call;
    const charge = { cost: 1, forSize: budgets.callsOf(announcedBytes) - 1 };
    await budgets.chargeAddress(address, 'default', charge, allow);
    const claimed = await request.claim();
    admit.assertTimely(claimed);
    const bytes = await request.readBody();
    const body = { bytes, parse: () => request.parse(bytes, address) };
    return handshakes.take(claimed, body, {
      address: addressKey(address),
      requestId,
      proven: (hubId) => request.proven(hubId),
    });
  }
}

/** A request names no receiver under its signature but in its body: what was sent to another hub is for no other one. */
const assertMeant: (
  body: JsonValue,
  peerHubId: Uuid,
  ownHubId: Uuid,
) => asserts body is JsonObject = (body, peerHubId, ownHubId) => {
  if (!isObject(body)) throw refused('', 'type', 'must be an object', 'VALIDATION_ERROR');
  if (body['toHubId'] !== ownHubId)
    throw refused('/toHubId', 'const', 'must be the id of this hub', 'UNPROCESSABLE');
  if (body['originHubId'] !== peerHubId)
    throw refused('/originHubId', 'const', 'must be X-Service-Peer-Hub-Id', 'UNPROCESSABLE');
};

const refused = (
  path: string,
  keyword: string,
  message: string,
  code: 'VALIDATION_ERROR' | 'UNPROCESSABLE',
): NotaryError =>
  new NotaryError(
    code,
    `The message is not for this hub, or not of this peer: ${path} ${message}.`,
    {
      errors: [{ path, keyword, message }],
    },
  );
