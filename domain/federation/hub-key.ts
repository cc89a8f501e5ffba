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
