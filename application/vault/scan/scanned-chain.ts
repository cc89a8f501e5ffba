import { toHex } from '../../../domain/kernel/digest.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../domain/kernel/canonical-json.ts';
import { isDisputeStep } from '../../../domain/record/dispute-facts.ts';
import type { EntryFacts } from '../../../domain/record/entry-facts.ts';
import { chainKindOf, type ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import type { AcknowledgedLosses } from '../../../domain/verification/report/acknowledged-losses.ts';
import type { HubClaim } from '../../../domain/verification/entry/chain-entry.ts';
import type { ChainRow } from '../../../domain/verification/entry/chain-entry.ts';
import { CoverCheck } from '../../../domain/verification/dump/cover-check.ts';
import type { Cover } from '../../../domain/verification/dump/rows/packed-cover.ts';
import {
  ChainWalk,
  type ChainContext,
  type ChainOutcome,
} from '../../../domain/verification/chain/verify-chain.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { StoredEntry } from './scan-snapshot.port.ts';

/** A submission as its entry seals it. */
export interface SealedCompletion {
  readonly evidenceHash: JsonValue;
  readonly at: JsonValue;
  readonly revision: number;
}

/** One chain under verification, with what its rows are compared with afterwards. */
export class ScannedChain {
  readonly completions = new Map<JsonValue, SealedCompletion>();
  /** By the id of the dispute, its entries in their order. */
  readonly disputes = new Map<JsonValue, EntryFacts[]>();
  /** Children by their id, with the hash of the first entry of each. */
  readonly children = new Map<JsonValue, JsonValue>();
  /** Null until `end`. */
  outcome: ChainOutcome | null = null;
  /** `at` of the newest entry as its row says, which is compared with what was sealed. */
  at = '';
  /** Of its first entry that names one; null on the platform chain. */
  orgId: string | null = null;
  private revisions = 0;
  private readonly walk: ChainWalk;
  private readonly cover: CoverCheck;

  constructor(
    readonly chainKey: ChainKey,
    readonly faults: ChainFaults,
    {
      hub,
      covers,
      losses,
      ...context
    }: Pick<ChainContext, 'ring' | 'signatures' | 'coSignatures' | 'reader' | 'registry'> & {
      readonly hub: HubClaim | null;
      /** Checkpoints of this chain, in the order of the log. */
      readonly covers: readonly Cover[];
      readonly losses: AcknowledgedLosses;
    },
    private readonly onRow: (row: ChainRow) => void = () => undefined,
    onEntry: (predicate: JsonObject, position: number) => void = () => undefined,
  ) {
    const chainKind = chainKindOf(chainKey);
    const own = { ...context, findings: faults };
    this.cover = new CoverCheck(chainKey, covers, [...context.ring.keys()], losses, own);
    this.walk = new ChainWalk(
      { chainKey, chainKind, area: chainKind === 'admin' ? 'keys' : 'chain', hub },
      { ...own, cover: this.cover.byRetiredKeys },
      (facts, predicate, position) => {
        if (chainKind !== 'admin' && typeof facts.orgId === 'string') this.orgId ??= facts.orgId;
        if (chainKind === 'record') this.remember(facts, predicate);
        onEntry(predicate, position);
      },
    );
  }

  entry({ entry }: StoredEntry): void {
    if (!entry) return this.unreadable();
    const row = rowOf(entry);
    this.at = entry.at;
    this.cover.entry(row);
    this.onRow(row);
    this.walk.entry(row);
  }

  /** When its newest checkpoint was sealed, ISO 8601 with milliseconds; null without one. */
  get coveredAt(): string | null {
    return this.cover.newestAt;
  }

  end(): ChainOutcome {
    this.cover.end();
    return (this.outcome = this.walk.end());
  }

  private unreadable(): void {
    this.faults.fault('CHAIN_COSE_DECODE_FAILED', null, 'the row of an entry cannot be read');
    this.walk.unreadable();
  }

  private remember(facts: EntryFacts, predicate: JsonObject): void {
    const { entryType, completionId, evidenceHash, at, dispute } = facts;
    if (entryType === 'COMPLETION_SUBMITTED')
      this.completions.set(completionId, { evidenceHash, at, revision: this.revisions + 1 });
    if (entryType === 'REVISION_REQUESTED') this.revisions++;
    if (dispute && isDisputeStep(entryType))
      this.disputes.set(dispute.id, [...(this.disputes.get(dispute.id) ?? []), facts]);
    if (entryType !== 'CHILD_DELEGATED' || !Array.isArray(predicate['children'])) return;
    for (const child of predicate['children'] as readonly JsonValue[])
      if (isObject(child)) this.children.set(child['id'] ?? null, child['headHash'] ?? null);
  }
}

const rowOf = (entry: ChainEntry): ChainRow => ({
  position: entry.position,
  entryType: entry.entryType,
  createdAt: entry.at,
  coseSign1: entry.coseSign1,
  hash: toHex(entry.hash),
  previousHash: toHex(entry.previousHash),
  signingKeyId: entry.signingKeyId,
  recordId: entry.recordId,
  oidcIss: entry.oidcIss,
  oidcSub: entry.oidcSub,
});
