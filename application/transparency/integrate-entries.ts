import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type {
  StatementLogReads,
  UnloggedEntry,
} from '../../domain/transparency/statement-log.port.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { Log } from '../log.port.ts';
import { DuplicateError, type UnitOfWork } from '../unit-of-work.port.ts';
import type { AppendLeaves } from './append-leaves.ts';
import type { GenuineLeaves } from './genuine-leaves.ts';
import type { OrgLogs } from './org-logs.ts';

/** Entries in one look, and in one unit of work of an org. */
const LOOK = 400;
const BATCH = 100;
/** How far back a look goes: an entry may be committed a while after the time that it names. */
const BACK_MS = 15_000;
/** How far back the first look of a process goes, beyond the newest round. */
const FIRST_BACK_MS = 600_000;
const TRIES = 3;

/**
 * Takes the chain entries of orgs over into their logs: in the background within seconds, and at once where somebody asks
 * for the receipt of one.
 */
export class IntegrateEntries {
  private since: string | null = null;
  private readonly refused = new Set<string>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: {
      readonly chains: ChainReads;
      readonly checkpoints: CheckpointReads;
      readonly statementLogs: StatementLogReads;
    },
    private readonly append: AppendLeaves,
    private readonly logs: OrgLogs,
    private readonly genuine: GenuineLeaves,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async isNeeded(): Promise<boolean> {
    const since = (this.since ??= await this.firstSince());
    return (await this.look(since)).length > 0;
  }

  /** @param stopping ends it early; the next run goes on. */
  async run(stopping?: AbortSignal): Promise<number> {
    const begun = this.clock.now().getTime();
    let since = (this.since ??= await this.firstSince());
    let taken = 0;
    for (;;) {
      const found = await this.look(since);
      const last = found.at(-1);
      if (!last) break;
      for (const [orgId, entries] of byOrg(found)) {
        if (stopping?.aborted) return taken;
        taken += await this.tryTake(orgId, entries);
      }
      since = last.at;
    }
    this.since = new Date(begun - BACK_MS).toISOString();
    return taken;
  }

  /** The entries of one chain, now. @throws CONFLICT with reason log_broken. */
  async takeChain(orgId: Uuid, entries: readonly ChainEntry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH)
      await this.add(orgId, entries.slice(from, from + BATCH));
  }

  private async look(since: string): Promise<readonly UnloggedEntry[]> {
    const found = await this.reads.statementLogs.unlogged(since, LOOK + this.refused.size);
    return found.filter((entry) => !this.refused.has(nameOf(entry)));
  }

  /** One that cannot be taken over stops no other; it is told of once. */
  private async tryTake(orgId: Uuid, places: readonly UnloggedEntry[]): Promise<number> {
    try {
      const entries: ChainEntry[] = [];
      for (const place of places) {
        const [entry] = await this.reads.chains.entries(place.chainKey, place.position, 1);
        if (entry?.position === place.position && (await this.genuine.isOfOrg(orgId, entry)))
          entries.push(entry);
        else this.refuse([place], 'the entry does not verify');
      }
      await this.takeChain(orgId, entries);
      return entries.length;
    } catch (error) {
      if (!(error instanceof NotaryError) || error.members.reason !== 'log_broken') throw error;
      this.refuse(places, error.message);
      return 0;
    }
  }

  private refuse(places: readonly UnloggedEntry[], why: string): void {
    for (const place of places) this.refused.add(nameOf(place));
    const [{ chainKey, orgId } = { chainKey: '', orgId: '' }] = places;
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

const nameOf = ({ chainKey, position }: Pick<UnloggedEntry, 'chainKey' | 'position'>): string =>
  `${chainKey}/${position}`;

const byOrg = (entries: readonly UnloggedEntry[]): ReadonlyMap<Uuid, readonly UnloggedEntry[]> => {
  const grouped = new Map<Uuid, UnloggedEntry[]>();
  for (const entry of entries) {
    const others = grouped.get(entry.orgId);
    if (others) others.push(entry);
    else grouped.set(entry.orgId, [entry]);
  }
  return grouped;
};
