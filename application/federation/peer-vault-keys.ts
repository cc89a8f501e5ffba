import type { PeerVaultKey } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { KeyStatement } from '../../domain/vault/key-statement.ts';

/** A peer's vault keys, which never stand where the hub's own are looked up. */
export interface PeerVaultKeySource {
  /**
   * The key of a peer, reached from the root that was registered. Asks the peer for its key statements where the kid is not
   * known, at most once a minute. Null where the peer has no such key, or cannot be asked.
   */
  find(hubId: Uuid, keyId: string): Promise<PeerVaultKey | null>;
  /** The key statements that are known and hold, in the order of the peer's platform chain; for exports. */
  succession(hubId: Uuid): Promise<readonly KeyStatement[]>;
}
