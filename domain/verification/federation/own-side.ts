import type { Manifest } from '../../record-type/manifest.ts';
import type { AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { KeyStatementRow } from '../keys/key-material.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { FederatedChain } from '../chain/rules/federated-chain.ts';
import type { SideEntry } from './federated-side.ts';

/** What the rest of the file says of the record and of its hub. */
export interface OwnSide {
  readonly chainKey: string;
  readonly hub: HubClaim;
  readonly ring: KeyRing;
  readonly keyStatements: readonly KeyStatementRow[];
  readonly federated: FederatedChain;
  readonly entries: readonly SideEntry[];
  readonly manifest: Manifest | null;
  readonly completeAsOf: string | null;
  /** Of this chain. */
  readonly losses: readonly AcknowledgedLoss[];
  /** The peer's own file is there too: it covers what the peer's retired keys signed on its chain. */
  readonly isHeldAgainstPeer: boolean;
}
