import { SchemaFacts } from '../../domain/record-type/schema-facts.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { schemaChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads, ChainStore } from '../../domain/vault/chain-store.port.ts';
import type { Vault } from './vault.ts';
import { FollowedChain } from './followed-chain.ts';

/** Orgs whose chain is kept in memory; the chain of another is read again when it is needed. */
const MAX_ORGS = 2_000;

/** What the schema chains say of record types, whatever their rows say. */
export class SchemaLedger {
  private readonly chains = new Map<Uuid, FollowedChain<SchemaFacts>>();

  constructor(
    private readonly reads: ChainReads,
    private readonly vault: Pick<Vault, 'keyOf'>,
  ) {}

  /** As the chain was at most so many milliseconds ago. */
  recent(orgId: Uuid, maxAgeMs: number): Promise<SchemaFacts> {
    return this.chainOf(orgId).recent(maxAgeMs);
  }

  /** As the chain is committed now or later. */
  now(orgId: Uuid): Promise<SchemaFacts> {
    return this.chainOf(orgId).now();
  }

  /** As a unit of work sees the chain, its own entries included. */
  within(chains: Pick<ChainStore, 'upFrom'>, orgId: Uuid): Promise<SchemaFacts> {
    return this.chainOf(orgId).within(chains);
  }

  private chainOf(orgId: Uuid): FollowedChain<SchemaFacts> {
    const known = this.chains.get(orgId);
    const chain =
      known ??
      new FollowedChain(
        schemaChain(orgId),
        this.reads,
        this.vault,
        (before: SchemaFacts | null) => new SchemaFacts(before),
      );
    this.chains.delete(orgId);
    this.chains.set(orgId, chain);
    if (this.chains.size > MAX_ORGS) this.chains.delete(this.chains.keys().next().value as Uuid);
    return chain;
  }
}
