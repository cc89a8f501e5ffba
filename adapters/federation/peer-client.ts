import { randomBytes } from 'node:crypto';
import type { EgressPost } from '../../application/ports/egress-post.port.ts';
import type { HubKeys } from '../../application/federation/hub-keys.ts';
import type {
  PeerResponse,
  PeerTransport,
} from '../../application/federation/peer-transport.port.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import {
  PEER_HEADERS,
  signInput,
  type PeerPath,
} from '../../domain/federation/request-signature.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

const CONNECT_MS = 5_000;
const TOTAL_MS = 15_000;

/** Signs requests with the hub key that the peer knows, and sends them through the egress guard. */
export class PeerClient implements PeerTransport {
  /** @param answerBytes the longest answer that is read. */
  constructor(
    private readonly egress: EgressPost,
    private readonly keys: Pick<HubKeys, 'of'>,
    private readonly hub: { readonly hubId: Uuid },
    private readonly clock: Clock,
    private readonly answerBytes: number,
  ) {}

  async post(
    peer: Pick<Peer, 'hubId' | 'baseUrl' | 'ownKeyThumbprint'>,
    path: PeerPath,
    body: Uint8Array,
    {
      totalMs = TOTAL_MS,
      signal,
    }: { readonly totalMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<PeerResponse> {
    const key = await this.keys.of(peer.ownKeyThumbprint);
    const timestamp = this.clock.now().toISOString();
    const nonce = randomBytes(24).toString('base64url');
    const signature = key.sign(signInput(path, body, timestamp, nonce));
    const answer = await this.egress.post('PEER', `${peer.baseUrl}${path}`, {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, application/problem+json',
        [PEER_HEADERS.hubId]: this.hub.hubId,
        [PEER_HEADERS.timestamp]: timestamp,
        [PEER_HEADERS.nonce]: nonce,
        [PEER_HEADERS.signature]: Buffer.from(signature).toString('base64'),
      },
      body,
      connectMs: CONNECT_MS,
      totalMs,
      keepBytes: this.answerBytes,
      readBytes: this.answerBytes,
      ...(signal ? { signal } : {}),
    });
    return {
      status: answer.status,
      retryAfterSeconds: answer.retryAfterSeconds,
      body: new TextEncoder().encode(answer.body),
    };
  }
}
