import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type {
  StatementLogReads,
  UnloggedChain,
} from '../../domain/transparency/statement-log.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { Log } from '../log.port.ts';
import type { ChainWriter } from '../sealing/chain-writer.ts';
import { DuplicateError, type UnitOfWork } from '../unit-of-work.port.ts';
import type { AppendLeaves } from './append-leaves.ts';
import type { GenuineLeaves } from './genuine-leaves.ts';
import type { OrgLogs } from './org-logs.ts';
import type { UnloggedChains } from './unlogged-chains.ts';

/** Entries in one read, which may have 64 KiB each, and in one unit of work of an org. */
const READ = 64;
const BATCH = 100;
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
    private readonly writer: Pick<ChainWriter, 'sealedHere'>,
    private readonly append: AppendLeaves,
    private readonly logs: OrgLogs,
    private readonly genuine: GenuineLeaves,
    private readonly log: Log,
  ) {}

  async isNeeded(): Promise<boolean> {
    this.since ??= await this.firstSince();
    for await (const chains of this.unlogged.changedSince(this.since))
      if (this.open(chains).length > 0) return true;
    this.since = this.unlogged.window();
    return false;
  }

  /** @param stopping ends it early; the next run goes on. */
  async run(stopping?: AbortSignal): Promise<number> {
    this.since ??= await this.firstSince();
    const next = this.unlogged.window();
    let taken = 0;
    for await (const chains of this.unlogged.changedSince(this.since)) {
      if (stopping?.aborted) return taken;
      taken += await this.takeOver(this.open(chains));
    }
    this.since = next;
    return taken;
  }

  /** What is missing of these chains, and what was refused before. */
  async catchUp(chainKeys: readonly ChainKey[]): Promise<void> {
    await this.takeOver(await this.reads.statementLogs.unlogged(chainKeys));
  }

  /** Entries that were verified, now. @throws CONFLICT with reason log_broken. */
  async takeChain(orgId: Uuid, entries: readonly ChainEntry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH)
      await this.add(orgId, entries.slice(from, from + BATCH));
  }

  private open(chains: readonly UnloggedChain[]): readonly UnloggedChain[] {
    return chains.filter(({ chainKey, to }) => (this.refused.get(chainKey) ?? 0) < to);
  }

  private async takeOver(chains: readonly UnloggedChain[]): Promise<number> {
    let taken = 0;
    for await (const entries of this.read(chains))
      for (const [orgId, own] of byOrg(entries)) taken += await this.tryTake(orgId, own);
    return taken;
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

  /** What cannot be taken over stops nothing else; it is told of once. */
  private async tryTake(orgId: Uuid, entries: readonly ChainEntry[]): Promise<number> {
    try {
      const genuine: ChainEntry[] = [];
      for (const entry of entries)
        if (this.writer.sealedHere(orgId, entry) || (await this.genuine.isOfOrg(orgId, entry)))
          genuine.push(entry);
        else this.refuse([entry], 'the entry does not verify');
      await this.takeChain(orgId, genuine);
      return genuine.length;
    } catch (error) {
      if (!(error instanceof NotaryError) || error.members.reason !== 'log_broken') throw error;
      this.refuse(entries, error.message);
      return 0;
    }
  }

  private refuse(entries: readonly ChainEntry[], why: string): void {
    for (const { chainKey, position } of entries)
      this.refused.set(chainKey, Math.max(position, this.refused.get(chainKey) ?? 0));
    const [{ chainKey, orgId } = { chainKey: '', orgId: '' }] = entries;
    this.log.error(
      { chainKey, orgId, why },
      'entries cannot be taken over into the log of their org',
    );
  }

  private async add(orgId: Uuid, entries: readonly ChainEntry[]): Promise<void> {
    const inputs = entries.map(({ coseSign1, chainKey, position }) => ({
      input: coseSign1,
      entry: { chainKey, position },
    }));
    for (let tries = 1; ; tries++) {
      try {
        const { tree } = await this.unitOfWork.transaction((stores) =>
          this.append.append(stores, orgId, inputs),
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

const byOrg = (entries: readonly ChainEntry[]): ReadonlyMap<Uuid, readonly ChainEntry[]> => {
  const grouped = new Map<Uuid, ChainEntry[]>();
  for (const entry of entries) {
    if (entry.orgId === null) continue;
    const others = grouped.get(entry.orgId);
    if (others) others.push(entry);
    else grouped.set(entry.orgId, [entry]);
  }
  return grouped;
};
