import { sha256Hex } from '../kernel/digest.ts';
import { isUuid, type Uuid } from '../kernel/ids.ts';

/** The routes at which a hub calls another one. Each is its own path in the sign-input, letter by letter. */
export const PEER_PATHS = {
  handshake: '/federation/v1/peer',
  stateTransitions: '/federation/v1/state-transitions',
  signals: '/federation/v1/signals',
} as const;
export type PeerPath = (typeof PEER_PATHS)[keyof typeof PEER_PATHS];

export const PEER_HEADERS = {
  hubId: 'X-Service-Peer-Hub-Id',
  timestamp: 'X-Service-Timestamp',
  nonce: 'X-Service-Nonce',
  signature: 'X-Service-Signature',
} as const;

/** A request may be this much older or younger than the clock of its receiver. */
export const PEER_SKEW_SECONDS = 300;
/** A nonce is good once for each peer, and kept longer than any request that bears it is good. */
export const PEER_NONCE_SECONDS = 900;

/** What the headers of a request say, in forms that leave no ambiguity. Nothing of it is proven. */
export interface ClaimedRequest {
  readonly hubId: Uuid;
  readonly path: PeerPath;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: Uint8Array;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const NONCE = /^[A-Za-z0-9_-]{22,64}$/;
/** 64 bytes in standard base64: the last character holds four bits that are zero. */
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;

export const isPeerHubId = (text: string): boolean => isUuid(text);

/** A timestamp in its one form, of a day and a time that exist. */
export const isPeerTimestamp = (text: string): boolean => {
  if (!TIMESTAMP.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 19));
};

export const isPeerNonce = (text: string): boolean => NONCE.test(text);
export const isPeerSignature = (text: string): boolean => SIGNATURE.test(text);

/** What the hub key signs of a request (interface part 5.4). A bodyHash is 64 lowercase hex digits. */
export const signInput = (
  path: PeerPath,
  body: Uint8Array,
  timestamp: string,
  nonce: string,
): Uint8Array =>
  new TextEncoder().encode(
    `service.federation.v1:POST:${path}:${sha256Hex(body)}:${timestamp}:${nonce}`,
  );

/** What a new hub key signs when it follows an old one. The prefix is used for nothing else. */
export const successionInput = (
  hubId: Uuid,
  oldThumbprint: string,
  newThumbprint: string,
): Uint8Array =>
  new TextEncoder().encode(`service.hub-key.v1\n${hubId}\n${oldThumbprint}\n${newThumbprint}`);
