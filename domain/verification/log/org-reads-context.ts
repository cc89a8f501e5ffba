import type { JsonObject } from '../../kernel/canonical-json.ts';
import type { CoveredReads } from '../../vault/covered-reads.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { ChainContext } from '../chain/verify-chain.ts';
import type { WitnessKeys } from '../keys/witness-keys.ts';

/** What the verification of a log of reads rests on. */
export interface OrgReadsContext extends Pick<ChainContext, 'ring' | 'signatures' | 'findings'> {
  /** Who the hub is; null while it is not known. */
  readonly hub: HubClaim | null;
  readonly witnesses: WitnessKeys;
  /** By org: how far the platform chain says that its log goes. */
  readonly sealed: ReadonlyMap<string, CoveredReads>;
  /** Who there is, as the platform chain says; null if it does not say it all. */
  readonly registry?: OrgReadsRegistry | null;
}

export interface OrgReadsRegistry {
  isWholeAt(at: number): boolean;
  /** @param at null, because it is not judged whether the credential of a reader had ended. */
  actorFault(actor: JsonObject, at: null): string | null;
  orgFault(orgId: string): string | null;
}
