import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import type {
  EntryPlace,
  StatementLogReads,
  UnloggedChain,
} from '../../domain/transparency/statement-log.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import { NO_BREAKS, stoppable, type Breaks } from '../call/background-pace.ts';
import type { Log } from '../ports/log.port.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import { DuplicateError, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { AppendLeaves, NewLeaf } from './append-leaves.ts';
import type { GenuineLeaves } from './genuine-leaves.ts';
import type { OrgLogs } from './org-logs.ts';
import type { UnloggedChains } from './unlogged-chains.ts';

/** Entries in one read, which may have 64 KiB each. */
const READ = 64;
/**
 * Leaves in one unit of work of an org. The more there are, the fewer pages are written more than once, and the longer wait
 * those who write meanwhile.
 */
const BATCH = 200;
/** How far back the first look of a process goes, beyond the newest round. */
const FIRST_BACK_MS = 60_000;
const TRIES = 3;

/**
 * Takes the chain entries of orgs over into their logs: in the background within seconds, at once where somebody asks for
 * the receipt of one, and whatever was missed in the next round of checkpoints.
 */
export class IntegrateEntries {
  private since: string | null = null;
  /** Chains of which entries do not verify, with the position up to which that was told. */
  private readonly refused = new Map<ChainKey, number>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: {
      readonly chains: ChainReads;
      readonly checkpoints: CheckpointReads;
      readonly statementLogs: StatementLogReads;
    },
    private readonly unlogged: UnloggedChains,
    private readonly writer: Pick<ChainWriter, 'leafOf' | 'sealedHere'>,
    private readonly append: AppendLeaves,
    private readonly logs: OrgLogs,
    private readonly genuine: GenuineLeaves,
    private readonly log: Log,
  ) {}

  /** Where very much changed, that is not looked through before a run. */
  async isNeeded(): Promise<boolean> {
    this.since ??= await this.firstSince();
    for await (const { unlogged, since, hasMore } of this.unlogged.changedSince(this.since)) {
      if (hasMore || this.open(unlogged).length > 0) return true;
      this.since = since;
    }
    return false;
  }

  /**
   * @param stopping ends it early; the next run goes on.
   * @param breaks between what is read or written together, of a run that nobody waits for.
   */
  async run(stopping?: AbortSignal, breaks: Breaks = NO_BREAKS): Promise<number> {
    this.since ??= await this.firstSince();
    const paced = stoppable(breaks, stopping);
    let taken = 0;
    try {
      for await (const { unlogged, since } of this.unlogged.changedSince(this.since)) {
        taken += await this.takeOver(this.open(unlogged), paced);
        this.since = since;
        await paced.pause();
      }
    } catch (error) {
      if (error !== stopping?.reason) throw error;
    }
    return taken;
  }

  /** What is missing of these chains, and what was refused before. */
  async catchUp(chainKeys: readonly ChainKey[]): Promise<void> {
    await this.takeOver(await this.reads.statementLogs.unlogged(chainKeys));
  }

  /** Entries that were verified, for a caller. @throws CONFLICT with reason log_broken, SERVICE_UNAVAILABLE. */
  async takeChain(orgId: Uuid, entries: readonly ChainEntry[]): Promise<void> {
    await this.logs.forCaller(orgId);
    const leaves = entries.map(leafOf);
    for (let from = 0; from < leaves.length; from += BATCH)
      await this.add(orgId, leaves.slice(from, from + BATCH));
  }

  private open(chains: readonly UnloggedChain[]): readonly UnloggedChain[] {
    return chains.filter(({ chainKey, to }) => (this.refused.get(chainKey) ?? 0) < to);
  }

  private async takeOver(
    chains: readonly UnloggedChain[],
    breaks: Breaks = NO_BREAKS,
  ): Promise<number> {
    let taken = 0;
    const waiting = new Map<Uuid, EntryLeaf[]>();
    for await (const leavesOfOrgs of this.leaves(chains)) {
      for (const [orgId, own] of leavesOfOrgs) {
        const leaves = waiting.get(orgId) ?? [];
        leaves.push(...own);
        waiting.set(orgId, leaves);
        if (leaves.length >= BATCH) taken += await this.tryAdd(orgId, leaves.splice(0), breaks);
      }
      await breaks.pause();
    }
    for (const [orgId, leaves] of waiting) {
      taken += await this.tryAdd(orgId, leaves, breaks);
      await breaks.pause();
    }
    return taken;
  }

  /** What this process sealed a moment ago is not read again. */
  private async *leaves(
    chains: readonly UnloggedChain[],
  ): AsyncGenerator<ReadonlyMap<Uuid, readonly EntryLeaf[]>> {
    const others: UnloggedChain[] = [];
    const known: (EntryLeaf & { readonly orgId: Uuid })[] = [];
    for (const chain of chains) {
      const { chainKey, from, to: position, hash } = chain;
      const leaf = from === position ? this.writer.leafOf({ chainKey, position, hash }) : null;
      if (leaf) known.push({ ...leaf, entry: { chainKey, position } });
      else others.push(chain);
    }
    for (let first = 0; first < known.length; first += BATCH)
      yield byOrg(known.slice(first, first + BATCH));
    for await (const entries of this.read(others)) {
      const leaves = new Map<Uuid, readonly EntryLeaf[]>();
      for (const [orgId, own] of byOrg(entries))
        leaves.set(orgId, (await this.genuineOf(orgId, own)).map(leafOf));
      yield leaves;
    }
  }

  /** Most chains have one new entry; those are read together. */
  private async *read(chains: readonly UnloggedChain[]): AsyncGenerator<readonly ChainEntry[]> {
    const ends = chains.filter(({ from, to }) => from === to);
    for (let first = 0; first < ends.length; first += READ) {
      const places = ends.slice(first, first + READ);
      const found = await this.reads.chains.entriesAt(
        places.map(({ chainKey, to: position }) => ({ chainKey, position })),
      );
      yield [...found.values()];
    }
    for (const { chainKey, from, to } of chains)
      for (let next = from; from < to && next <= to; next += READ)
        yield (await this.reads.chains.entries(chainKey, next, READ)).filter(
          ({ position }) => position < next + READ && position <= to,
        );
  }

  /** What does not verify stops nothing else; it is told of once. */
  private async genuineOf(
    orgId: Uuid,
    entries: readonly ChainEntry[],
  ): Promise<readonly ChainEntry[]> {
    const genuine: ChainEntry[] = [];
    for (const entry of entries)
      if (this.writer.sealedHere(orgId, entry) || (await this.genuine.isOfOrg(orgId, entry)))
        genuine.push(entry);
      else this.refuse(orgId, [entry], 'the entry does not verify');
    return genuine;
  }

  /** Nor does a log that is not the one that was signed. */
  private async tryAdd(orgId: Uuid, leaves: readonly EntryLeaf[], breaks: Breaks): Promise<number> {
    try {
      if (leaves.length > 0) await this.add(orgId, leaves, breaks);
      return leaves.length;
    } catch (error) {
      if (!(error instanceof NotaryError) || error.members.reason !== 'log_broken') throw error;
      this.refuse(
        orgId,
        leaves.map(({ entry }) => entry),
        error.message,
      );
      return 0;
    }
  }

  private refuse(orgId: Uuid, places: readonly EntryPlace[], why: string): void {
    for (const { chainKey, position } of places)
      this.refused.set(chainKey, Math.max(position, this.refused.get(chainKey) ?? 0));
    this.log.error(
      { chainKey: places[0]?.chainKey, orgId, why },
      'entries cannot be taken over into the log of their org',
    );
  }

  private async add(
    orgId: Uuid,
    leaves: readonly EntryLeaf[],
    breaks: Breaks = NO_BREAKS,
  ): Promise<void> {
    await this.logs.committed(orgId, breaks);
    for (let tries = 1; ; tries++) {
      try {
        const { tree } = await this.unitOfWork.transaction((stores) =>
          this.append.append(stores, orgId, leaves),
        );
        this.logs.remember(orgId, tree);
        return;
      } catch (error) {
        if (!(error instanceof DuplicateError) || tries >= TRIES) throw error;
      }
    }
  }

  private async firstSince(): Promise<string> {
    const newest = await this.reads.checkpoints.newestOf(PLATFORM_CHAIN);
    return newest
      ? new Date(Date.parse(newest.createdAt) - FIRST_BACK_MS).toISOString()
      : new Date(0).toISOString();
  }
}

type EntryLeaf = NewLeaf & { readonly entry: EntryPlace };

const leafOf = ({ coseSign1, chainKey, position }: ChainEntry): EntryLeaf => ({
  hash: leafHash(coseSign1),
  entry: { chainKey, position },
});

const byOrg = <T extends { readonly orgId: Uuid | null }>(
  entries: readonly T[],
): ReadonlyMap<Uuid, readonly T[]> => {
  const grouped = new Map<Uuid, T[]>();
  for (const entry of entries) {
    if (entry.orgId === null) continue;
    const others = grouped.get(entry.orgId);
    if (others) others.push(entry);
    else grouped.set(entry.orgId, [entry]);
  }
  return grouped;
};
