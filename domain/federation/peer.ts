import type { AgentPublicKey } from '../identity/agent-public-key.ts';
import type { Uuid } from '../kernel/ids.ts';

/**
 * REGISTERED: registered here, and its handshake has not come. PENDING: its handshake came, and nobody registered it here.
 * ACTIVE: both. Messages go to and come from an ACTIVE peer alone.
 */
export const PEER_STATUSES = ['REGISTERED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REVOKED'] as const;
export type PeerStatus = (typeof PEER_STATUSES)[number];
export type RegisteredStatus = Exclude<PeerStatus, 'PENDING'>;

/** What an operator compares out of band, and approves. */
export interface PeerClaim {
  readonly hubId: Uuid;
  /** An origin: https, host and port, without a path. */
  readonly baseUrl: string;
  /** Ed25519. */
  readonly publicKey: AgentPublicKey;
  /** RFC 9679 of `publicKey`: SHA-256, lowercase hex. */
  readonly publicKeyThumbprint: string;
  /** SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of its platform chain, lowercase hex. */
  readonly vaultRoot: string;
}

/** A hub that was registered here. There is one row for a hubId, for ever. */
export interface Peer extends PeerClaim {
  /** Of the row. A peer chooses its hubId, and none of the ids here. */
  readonly id: Uuid;
  /** As the identity of the hub said when it was fetched; null before. It decides nothing. */
  readonly name: string | null;
  readonly status: RegisteredStatus;
  /** Thumbprint of the hub's own key under which this peer knows the hub: requests to it are signed by that one. */
  readonly ownKeyThumbprint: string;
  /** When the handshake of the peer, naming this hub, came; null before. */
  readonly greetedAt: string | null;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Counts registrations: a hub that is registered again after it was revoked starts with new records only. */
  readonly generation: number;
  /** As the newest PEER_* entry on the platform chain seals it. */
  readonly version: number;
  /** When the next handshake goes to it; null: none has to. */
  readonly handshakeDueAt: string | null;
  /** Handshakes without success since the last one that had some. */
  readonly handshakeAttempts: number;
}

/** A hub that sent a handshake and is not registered here. It has no rights, and blocks nobody. */
export interface PendingPeer extends PeerClaim {
  readonly id: Uuid;
  /** What the handshake came from: an address, or a block of them. */
  readonly address: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A hub that proved, for one request, to be an ACTIVE peer. */
export interface VerifiedPeer {
  readonly hubId: Uuid;
  /** Of the key that signed the request. */
  readonly publicKeyThumbprint: string;
  readonly generation: number;
  /** The root of its vault, which stays for a registration. */
  readonly vaultRoot: string;
}

/** A key of a peer's vault, as key statements say that lead to the root that was registered. */
export interface PeerVaultKey {
  /** First 32 hex characters of the RFC 9679 thumbprint. */
  readonly keyId: string;
  readonly algorithm: 'Ed25519' | 'ES256';
  /** Of the key statements, and so of everything that the key signs. */
  readonly predicateBase: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array;
  /** ISO 8601 with milliseconds; both belong to the window of the key. */
  readonly activatedAt: string;
  readonly retiredAt: string | null;
  readonly retirement: 'scheduled' | 'compromised' | null;
}
