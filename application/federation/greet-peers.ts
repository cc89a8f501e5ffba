import type { HubKey } from '../../domain/federation/hub-key.ts';
import {
  HANDSHAKE_AGAIN_MS,
  HANDSHAKE_WAITS_SECONDS,
  longestHandshakeWait,
} from '../../domain/federation/handshake-wait.ts';
import { hubKeyJwk } from '../../domain/federation/peer-claim.ts';
import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import { PEER_PATHS, successionInput } from '../../domain/federation/request-signature.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { isDue } from '../../domain/kernel/due.ts';
import { isObject } from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../domain/kernel/strict-json.ts';
import { EgressFailed, EgressRefused } from '../ports/egress-post.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import { PROTOCOL_VERSIONS, type HubIdentity } from './hub-identity.ts';
import { goodPeers } from './good-peers.ts';
import { currentOf, type HubKeys } from './hub-keys.ts';
import { eraseSpentKeys } from './erase-spent-keys.ts';
import type { PeerTransport } from './peer-transport.port.ts';

/** How long a call waits for the answer to a handshake, ms. */
const CALL_MS = 5_000;

/** One way to say hello: by which key, and as the successor of which. */
interface Greeting {
  readonly signedBy: HubKey;
  readonly follows: HubKey | null;
}

/** Sends handshakes: this hub says who it is, and by which key its requests are signed from now on. */
export class GreetPeers {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly peers: PeerReads,
    private readonly identity: HubIdentity,
    private readonly keys: HubKeys,
    private readonly transport: PeerTransport,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Whether a handshake is due. */
  isNeeded(): Promise<boolean> {
    return this.peers.hasHandshakeDue(this.now());
  }

  /** All that are due, each once. */
  async greetDue(stopping?: AbortSignal): Promise<void> {
    const now = this.now();
    const { peers, drifted } = await goodPeers(this.peers);
    for (const peerHubId of drifted)
      this.log.error(
        { peerHubId },
        'the row of a peer was edited behind the service; it is not greeted',
      );
    const due = peers.filter(
      ({ handshakeDueAt, handshakeAttempts }) =>
        handshakeDueAt !== null &&
        isDue(handshakeDueAt, now, longestHandshakeWait(handshakeAttempts)),
    );
    const queue = [...due];
    const worker = async (): Promise<void> => {
      for (let peer = queue.shift(); peer && !stopping?.aborted; peer = queue.shift())
        await this.greet(peer);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  }

  /** Right after a call that registered a hub, which never fails for this. @returns the peer as it is then. */
  async greetNow(peer: Peer): Promise<Peer> {
    await this.greet(peer);
    return (await this.peers.find(peer.hubId)) ?? peer;
  }

  /** One at a time to each peer. Never rejects. */
  greet(peer: Peer): Promise<void> {
    const known = this.underWay.get(peer.hubId);
    if (known) return known;
    const attempt = this.attempt(peer)
      .catch((err: unknown) => this.log.warn({ err, peerHubId: peer.hubId }, 'no handshake'))
      .finally(() => this.underWay.delete(peer.hubId));
    this.underWay.set(peer.hubId, attempt);
    return attempt;
  }

  private async attempt(peer: Peer): Promise<void> {
    const keys = await this.keys.all();
    const current = currentOf(keys);
    const ways = greetingsOf(peer, keys, current);
    if (!this.canBeReached(peer)) return this.failed(peer, ways.length);
    const way = ways[peer.handshakeAttempts % ways.length]!;
    const answer = await this.send(peer, way, current);
    // A hub that knows another key of this one answers as to a stranger: PENDING shows no key that it took.
    const isUnknownThere = answer !== 'ACTIVE' && ways.length > 1;
    if (answer === null || isUnknownThere) await this.failed(peer, ways.length);
    else await this.answered(peer, current, answer);
  }

  private canBeReached(peer: Peer): boolean {
    try {
      return this.identity.baseUrl !== '';
    } catch (err) {
      this.log.warn({ err, peerHubId: peer.hubId }, 'no handshake can be sent');
      return false;
    }
  }

  /** What the peer says of this hub; null where it did not take the handshake. */
  private async send(peer: Peer, way: Greeting, current: HubKey): Promise<string | null> {
    const body = bytesOf(JSON.stringify(this.bodyFor(peer, way, current)));
    const to = { ...peer, ownKeyThumbprint: way.signedBy.thumbprint };
    try {
      const options = { totalMs: CALL_MS };
      const response = await this.transport.post(to, PEER_PATHS.handshake, body, options);
      if (response.status !== 200) {
        this.log.info(
          { peerHubId: peer.hubId, status: response.status },
          'the peer did not take the handshake; it is sent again',
        );
        return null;
      }
      return statusIn(response.body, peer.hubId);
    } catch (error) {
      if (!(error instanceof EgressFailed) && !(error instanceof EgressRefused)) throw error;
      this.log.info(
        { peerHubId: peer.hubId, reason: error.message },
        'the handshake did not reach the peer; it is sent again',
      );
      return null;
    }
  }

  private bodyFor(peer: Peer, { follows }: Greeting, current: HubKey): JsonObject {
    const succession =
      follows &&
      this.keys
        .open(current)
        .sign(successionInput(this.identity.hubId, follows.thumbprint, current.thumbprint));
    return {
      hubId: this.identity.hubId,
      toHubId: peer.hubId,
      baseUrl: this.identity.baseUrl,
      publicKeyJwk: { ...hubKeyJwk(current.publicKey) },
      vaultRoot: this.identity.vaultRoot,
      protocolVersions: [...PROTOCOL_VERSIONS],
      ...(succession ? { succession: encodeBase64(succession) } : {}),
    };
  }

  private async failed(peer: Peer, ways: number): Promise<void> {
    const attempts = peer.handshakeAttempts + 1;
    const round = Math.floor((attempts - 1) / ways);
    const wait =
      HANDSHAKE_WAITS_SECONDS[Math.min(round, HANDSHAKE_WAITS_SECONDS.length - 1)]! * 1_000;
    await this.unitOfWork.transaction((stores) =>
      stores.peers.note(peer.hubId, { handshakeAttempts: attempts, handshakeDueAt: this.in(wait) }),
    );
  }

  /** From now on requests to this peer are signed by the current key. */
  private async answered(peer: Peer, current: HubKey, status: string): Promise<void> {
    await this.unitOfWork.transaction(async (stores) => {
      const now = await stores.peers.lock(peer.hubId);
      if (!now || now.status === 'REVOKED') return;
      const isWaiting = now.status === 'REGISTERED' || status !== 'ACTIVE';
      await stores.peers.update({
        ...now,
        ownKeyThumbprint: current.thumbprint,
        handshakeAttempts: 0,
        handshakeDueAt: isWaiting ? this.in(HANDSHAKE_AGAIN_MS) : null,
      });
      if (now.ownKeyThumbprint !== current.thumbprint) await eraseSpentKeys(stores);
    });
  }

  private now(): string {
    return this.clock.now().toISOString();
  }

  private in(ms: number): string {
    return new Date(this.clock.now().getTime() + ms).toISOString();
  }
}

/**
 * The ways to say hello, tried in turn. After a roll-over the peer knows one of the former keys, or, where its answer was
 * lost, the new one already; which of them, no refusal says.
 */
const greetingsOf = (peer: Peer, keys: readonly HubKey[], current: HubKey): readonly Greeting[] => {
  const plain = { signedBy: current, follows: null };
  const from = keys.findIndex(({ thumbprint }) => thumbprint === peer.ownKeyThumbprint);
  if (from < 0 || keys[from] === current) return [plain];
  const [known, ...between] = keys
    .slice(from)
    .filter((key) => key !== current && key.sealedPrivateKey !== null)
    .map((key) => ({ signedBy: key, follows: key }));
  return [...(known ? [known] : []), plain, ...between];
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An answer that is no such document counts as none. */
const statusIn = (body: Uint8Array, hubId: string): string | null => {
  try {
    const answer = parseStrictJson(decodeUtf8Strict(body), ANSWER_LIMITS);
    return isObject(answer) && answer['hubId'] === hubId && typeof answer['status'] === 'string'
      ? answer['status']
      : null;
  } catch (error) {
    if (error instanceof StrictJsonError) return null;
    throw error;
  }
};

const ANSWER_LIMITS = { maxDepth: 4, maxValues: 64 };
