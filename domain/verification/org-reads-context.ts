import type { HubClaim } from './chain-entry.ts';
import type { ChainContext } from './verify-chain.ts';
import type { WitnessKeys } from './witness-keys.ts';

/** What the verification of a log of reads rests on. */
export interface OrgReadsContext extends Pick<ChainContext, 'ring' | 'signatures' | 'findings'> {
  /** Who the hub is; null while it is not known. */
  readonly hub: HubClaim | null;
  readonly witnesses: WitnessKeys;
}
