import type { Clock } from '../../domain/kernel/clock.port.ts';
import type {
  RecordInSight,
  StatementLogReads,
  UnloggedChain,
} from '../../domain/transparency/statement-log.port.ts';
import type { ChainKey } from '../../domain/vault/chain-key.ts';

/** Chains in one look. */
const LOOK = 400;
/** How far a look goes back: an entry may be committed a while after the time that it names. */
const BACK_MS = 5_000;
/** A record that changed more recently may change once more at the same time. */
const SETTLED_MS = 1_000;

/** Chains of one look with entries that stand in no log. */
export interface Look {
  readonly unlogged: readonly UnloggedChain[];
  /** ISO 8601. Once these are logged, the next walk begins here; whatever is committed by then with an earlier time is found by a round. */
  readonly since: string;
  /** More changed after these. */
  readonly hasMore: boolean;
}

/**
 * Finds the chains whose newest entries stand in no log yet, among those that changed a short while ago. What it does not
 * find, because somebody edited the time of a change or was very slow to commit, a round of checkpoints finds.
 */
export class UnloggedChains {
  /** Records that will be looked at again and were found to be logged, with the time of their change. */
  private readonly logged = new Map<ChainKey, string>();

  constructor(
    private readonly reads: Pick<StatementLogReads, 'changedRecords' | 'schemaChains' | 'unlogged'>,
    private readonly clock: Clock,
  ) {}

  /** @param since ISO 8601. */
  async *changedSince(since: string): AsyncGenerator<Look> {
    const window = this.window();
    let schemas = await this.reads.unlogged(await this.reads.schemaChains(since));
    let after: RecordInSight = { chainKey: '', changedAt: since };
    for (;;) {
      const page = await this.reads.changedRecords(after, LOOK);
      const unlogged = [...schemas, ...(await this.among(page, window))];
      const last = page.length < LOOK ? undefined : page.at(-1);
      const passed = last && last.changedAt < window ? last.changedAt : window;
      yield { unlogged, since: passed, hasMore: last !== undefined };
      if (!last) return;
      after = last;
      schemas = [];
    }
  }

  /** From where a walk starts that begins when this one has ended. */
  private window(): string {
    const window = this.ago(BACK_MS);
    for (const [chainKey, changedAt] of this.logged)
      if (changedAt < window) this.logged.delete(chainKey);
    return window;
  }

  private async among(
    page: readonly RecordInSight[],
    window: string,
  ): Promise<readonly UnloggedChain[]> {
    const unseen = page.filter(
      ({ chainKey, changedAt }) => this.logged.get(chainKey) !== changedAt,
    );
    const settled = this.ago(SETTLED_MS);
    const found = await this.reads.unlogged(unseen.map(({ chainKey }) => chainKey));
    const open = new Set(found.map(({ chainKey }) => chainKey));
    for (const { chainKey, changedAt } of unseen)
      if (!open.has(chainKey) && changedAt >= window && changedAt < settled)
        this.logged.set(chainKey, changedAt);
    return found;
  }

  private ago(ms: number): string {
    return new Date(this.clock.now().getTime() - ms).toISOString();
  }
}
