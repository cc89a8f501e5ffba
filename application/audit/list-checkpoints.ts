import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { PLATFORM_CHAIN, schemaChainOrg } from '../../domain/vault/chain-key.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { CallContext } from '../call/call-context.ts';

/** Leaves that are looked at in one read, and reads in one call: an org of few records on a large hub gets short pages. */
const WINDOW = 5_000;
const MAX_READS = 10;

export interface ListedCheckpoints extends Slice<Checkpoint> {
  /** Whose chains they are, where they may be those of several orgs. */
  readonly orgs: readonly Uuid[];
}

/** The checkpoints of the chains that the caller's org reads, newest first. */
export class ListCheckpoints {
  constructor(private readonly checkpoints: CheckpointReads) {}

  async execute(
    { caller }: CallContext,
    { slice: { limit, after } }: { readonly slice: SliceRequest },
  ): Promise<ListedCheckpoints> {
    const orgId = caller.role === 'platform' ? null : orgOf(caller);
    const rows: Checkpoint[] = [];
    let before = after ? Number(after.key) : await this.checkpoints.size();
    for (let reads = 0; reads < MAX_READS && before > 0; reads++) {
      const first = Math.max(0, before - WINDOW);
      // One more than is shown tells whether there are more.
      const wanted = limit + 1 - rows.length;
      rows.push(...(await this.checkpoints.ofOrg(orgId, { first, before }, wanted)));
      before = first;
      if (rows.length > limit) break;
    }
    const shown = rows.slice(0, limit);
    const goesOnAt = rows.length > limit ? shown.at(-1)!.logIndex : before;
    // The log index says it all; the id is there because a keyset has one.
    return {
      rows: shown,
      total: shown.length,
      totalIsCapped: goesOnAt > 0,
      orgs: orgId === null ? await this.orgsOf(shown) : [],
      next: goesOnAt > 0 ? { key: String(goesOnAt), id: shown.at(-1)?.id ?? PLATFORM_CHAIN } : null,
    };
  }

  private async orgsOf(shown: readonly Checkpoint[]): Promise<readonly Uuid[]> {
    const chains = [...new Set(shown.map(({ chainKey }) => chainKey))];
    const schemas = chains.flatMap((key) => schemaChainOrg(key) ?? []);
    return [...schemas, ...(await this.checkpoints.partiesTo(chains))];
  }
}

const orgOf = ({ orgId }: { readonly orgId: Uuid | null }): Uuid => {
  if (orgId !== null) return orgId;
  throw new NotaryError('FORBIDDEN', 'The credential belongs to no org, so it has no checkpoints.');
};
