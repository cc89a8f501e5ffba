import { PLATFORM_CHAIN, chainKindOf } from '../../vault/chain-key.ts';
import { SignatureChecks, type ImmediateChecks } from '../../vault/signatures.ts';
import type { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import type { ChainRow, HubClaim } from '../entry/chain-entry.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { PinnedAgentKeys } from '../keys/pinned-agent-keys.ts';
import { Findings } from '../report/report.ts';
import { ChainWalk, type ChainContext, type RegistryReader } from '../chain/verify-chain.ts';
import type { ChainAnswer, ChainTask } from './chain-task.ts';
import { CoverCheck } from './cover-check.ts';
import { DeferredCoSignatures } from './deferred-co-signatures.ts';
import { linesIn } from './rows/dump-lines.ts';
import { coversIn, type Cover, type Covers } from './rows/packed-cover.ts';
import type { PlatformRegistry } from './registry/platform-registry.ts';
import { readRow, type DumpRow } from './rows/read-dump-rows.ts';
import { RegistryCheck } from './registry/registry-check.ts';
import { TellingSteps } from './telling-step.ts';
import { TypeUses } from './registry/type-uses.ts';

interface EntryMembers {
  readonly chain_key: string;
  readonly chain_position: number;
  readonly record_id: string | null;
  readonly entry_type: string;
  readonly signing_key_id: string;
  readonly previous_hash: string;
  readonly hash: string;
  readonly oidc_iss: string | null;
  readonly oidc_sub: string | null;
  readonly created_at: string;
}

/** What the chains of a part are verified by. */
export interface ChainPartSetting {
  readonly ring: KeyRing;
  /** The ids of the ring, in its order. */
  readonly keyIds: readonly string[];
  readonly hub: HubClaim | null;
  readonly agentKeys: PinnedAgentKeys | null;
  readonly losses: AcknowledgedLosses;
  /** Null if the platform chain lost entries. */
  readonly registry: PlatformRegistry | null;
  readonly checks: ImmediateChecks | null;
}

/** Entries that other files of the dump repeat, or rest on. */
const REPEATED: ReadonlySet<string> = new Set([
  'KEY_ACTIVATED',
  'KEY_RETIRED',
  'WITNESS_ADDED',
  'ORG_READS_COVERED',
]);

/** Walks chains in the order of the file, with the checkpoints of each beside it: those of a block, and of what continues it. */
export class ChainPart {
  private readonly findings = new Findings();
  private readonly signatures: SignatureChecks;
  private readonly coSignatures = new DeferredCoSignatures();
  private readonly types = new TypeUses();
  private readonly steps = new TellingSteps();
  private readonly covers = new Map<string, Cover[]>();
  private platform: ChainRow[] = [];
  private counts = NO_COUNTS;
  private lastKey: string | null = null;
  private chain: OpenChain | null = null;
  private closedBy: number | null = null;

  constructor(private readonly setting: ChainPartSetting) {
    this.signatures = new SignatureChecks(setting.checks);
  }

  async verify({ block, covers, closedBy }: ChainTask): Promise<ChainAnswer> {
    const { findings, signatures, coSignatures, types, steps, platform } = this;
    this.closedBy = closedBy;
    this.hold(covers);
    for (const line of linesIn(new Uint8Array(block.buffer, 0, block.length), block.firstLine)) {
      const row = readRow<EntryMembers>(line, 'audit_vault', findings);
      if (row) this.row(row);
      if (signatures.full) await signatures.room();
    }
    if (!block.goesOn) {
      this.endChain();
      this.missing();
    }
    await signatures.settled();
    const { counts } = this;
    this.counts = NO_COUNTS;
    this.platform = [];
    return {
      kind: 'chains',
      buffer: block.buffer,
      found: findings.take(),
      ...counts,
      steps: steps.take(),
      coSignatures: coSignatures.take(),
      types: types.take(),
      platform,
    };
  }

  private hold(covers: Covers): void {
    for (const cover of coversIn(covers)) {
      const known = this.covers.get(cover.chainKey);
      if (known) known.push(cover);
      else this.covers.set(cover.chainKey, [cover]);
    }
  }

  private row(row: DumpRow<EntryMembers>): void {
    const { chain_key: chainKey } = row.members;
    if (this.chain?.key !== chainKey) {
      this.endChain();
      if (this.lastKey !== null && chainKey <= this.lastKey) return this.outOfOrder(row);
      this.lastKey = chainKey;
      this.chain = this.open(chainKey);
    }
    const entry = chainRowOf(row);
    this.chain.check.entry(entry);
    if (chainKey === PLATFORM_CHAIN && REPEATED.has(entry.entryType)) this.platform.push(entry);
    this.coSignatures.position = entry.position;
    this.chain.walk.entry(entry);
  }

  private open(chainKey: string): OpenChain {
    const { ring, keyIds, hub, agentKeys, losses } = this.setting;
    const chainKind = chainKindOf(chainKey);
    const area = chainKind === 'admin' ? 'keys' : 'chain';
    const context: ChainContext = {
      ring,
      agentKeys,
      findings: this.findings,
      signatures: this.signatures,
      coSignatures: this.coSignatures,
    };
    const covers = this.covers.get(chainKey) ?? [];
    this.covers.delete(chainKey);
    this.coSignatures.chain(chainKey, area);
    const check = new CoverCheck(chainKey, covers, keyIds, losses, context);
    const walk = new ChainWalk(
      { chainKey, chainKind, area, hub },
      {
        ...context,
        cover: check.byRetiredKeys,
        reader: this.steps,
        registry: this.registryOf(chainKey, check),
      },
    );
    return { key: chainKey, check, walk };
  }

  private registryOf(chainKey: string, check: CoverCheck): RegistryReader {
    const { types, closedBy } = this;
    const { registry } = this.setting;
    const chainKind = chainKindOf(chainKey);
    const coveredUpTo = check.coveredBefore(closedBy ?? 0);
    // The platform chain is held against itself.
    const isCovered = (position: number): boolean =>
      chainKind === 'admin' || position <= coveredUpTo;
    const registered = registry && new RegistryCheck(registry, chainKind, isCovered);
    return {
      faultsOf: (predicate, position) => {
        if (chainKind === 'schema') types.schema(chainKey, position, predicate);
        if (chainKind === 'record' && position === 1)
          types.record(chainKey, predicate, check.firstLeaf);
        return registered?.faultsOf(predicate, position) ?? [];
      },
    };
  }

  private endChain(): void {
    const { chain } = this;
    if (!chain) return;
    this.chain = null;
    const { key, check, walk } = chain;
    const outcome = walk.end();
    this.steps.endChain(key, check.newestAt);
    const { entries, chains, beyond, evidence } = this.counts;
    this.counts = {
      entries: entries + outcome.entries,
      chains: chains + 1,
      beyond: beyond + check.end(),
      evidence: evidence + outcome.evidence.sealed,
    };
  }

  /** The chains of checkpoints that are left over stand nowhere in the file. */
  private missing(): void {
    const { losses } = this.setting;
    for (const [chainKey, covers] of [...this.covers].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const cover = covers.find(({ position, at }) => !losses.isLost(chainKey, position, at));
      if (cover)
        this.findings.fail(
          'checkpoints',
          'checkpoints',
          'CHECKPOINT_CHAIN_MISSING',
          { chainKey, position: cover.position },
          'the log has a checkpoint of this chain, and the dump has no entry of it',
        );
    }
    this.covers.clear();
  }

  private outOfOrder({ members, line }: DumpRow<EntryMembers>): void {
    this.findings.fail(
      'positions',
      'chain',
      'CHAIN_POSITION_GAP',
      { chainKey: members.chain_key, position: members.chain_position },
      `line ${line} of audit_vault.ndjson is out of order: the chains ascend by their keys, and each stands in one place`,
    );
  }
}

interface OpenChain {
  readonly key: string;
  readonly check: CoverCheck;
  readonly walk: ChainWalk;
}

const NO_COUNTS = { entries: 0, chains: 0, beyond: 0, evidence: 0 };

const chainRowOf = ({ members, bytes }: DumpRow<EntryMembers>): ChainRow => ({
  position: members.chain_position,
  entryType: members.entry_type,
  createdAt: members.created_at,
  coseSign1: bytes,
  hash: members.hash,
  previousHash: members.previous_hash,
  signingKeyId: members.signing_key_id,
  recordId: members.record_id,
  oidcIss: members.oidc_iss,
  oidcSub: members.oidc_sub,
});
