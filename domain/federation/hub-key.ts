import type { AgentPublicKey } from '../identity/agent-public-key.ts';
import type { Uuid } from '../kernel/ids.ts';

/** A key by which this hub signs its requests to peers. */
export interface HubKey {
  readonly id: Uuid;
  /** RFC 9679: SHA-256, lowercase hex. */
  readonly thumbprint: string;
  /** Ed25519. */
  readonly publicKey: AgentPublicKey;
  /** Encrypted under SECRETS_KEY; null once no peer needs the key any more. */
  readonly sealedPrivateKey: Uint8Array | null;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  /** Since when another key follows it; null of the current one. */
  readonly retiredAt: string | null;
  /** As HUB_KEY_CREATED or HUB_KEY_CHANGED seals it. */
  readonly version: number;
}

/** Committed rows, oldest first. */
export interface HubKeyReads {
  all(): Promise<readonly HubKey[]>;
}

/** Inside a unit of work. */
export interface HubKeyStore {
  insert(key: HubKey): Promise<void>;
  /** Every key, oldest first, locked until the end of the unit of work. */
  lockAll(): Promise<readonly HubKey[]>;
  update(key: HubKey): Promise<void>;
}
