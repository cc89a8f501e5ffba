import type { AgentPublicKey } from '../../domain/identity/agent-public-key.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** Private parts of hub keys, which the database holds encrypted. */
export interface HubKeySecrets {
  /** A new Ed25519 key pair. Bound to the id: what is moved to another one cannot be opened. */
  make(id: Uuid): { readonly publicKey: AgentPublicKey; readonly sealed: Uint8Array };
  /** Signs by RFC 8032. Null where no SECRETS_KEY that is there opens it, or somebody changed it. */
  open(sealed: Uint8Array, id: Uuid): ((bytes: Uint8Array) => Uint8Array) | null;
  /** Whether it was encrypted under an older SECRETS_KEY than the newest. */
  isOld(sealed: Uint8Array): boolean;
  /** The same key under the newest SECRETS_KEY; null as `open`. */
  move(sealed: Uint8Array, id: Uuid): Uint8Array | null;
}
