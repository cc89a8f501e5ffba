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

/**
 * Finds the chains whose newest entries stand in no log yet, among those that changed a short while ago. What it does not
 * find, because somebody edited the time of a change or was very slow to commit, a round of checkpoints finds.
 */
export class UnloggedChains {
  /** Records in the window that were found to be logged, with the time of their change. */
  private readonly logged = new Map<ChainKey, string>();

  constructor(
    private readonly reads: Pick<StatementLogReads, 'changedRecords' | 'schemaChains' | 'unlogged'>,
    private readonly clock: Clock,
  ) {}

  /** @param since ISO 8601. */
  async *changedSince(since: string): AsyncGenerator<readonly UnloggedChain[]> {
    let after: RecordInSight = { chainKey: '', changedAt: since };
    for (;;) {
      const page = await this.reads.changedRecords(after, LOOK);
      const found = await this.among(page);
      if (found.length > 0) yield found;
      const last = page.at(-1);
      if (!last || page.length < LOOK) break;
      after = last;
    }
    const schemas = await this.reads.unlogged(await this.reads.schemaChains(since));
    if (schemas.length > 0) yield schemas;
  }

  /** From where the next look starts that begins now. */
  window(): string {
    const since = new Date(this.clock.now().getTime() - BACK_MS).toISOString();
    for (const [chainKey, changedAt] of this.logged)
      if (changedAt < since) this.logged.delete(chainKey);
    return since;
  }

  private async among(page: readonly RecordInSight[]): Promise<readonly UnloggedChain[]> {
    const unseen = page.filter(
      ({ chainKey, changedAt }) => this.logged.get(chainKey) !== changedAt,
    );
    const settled = new Date(this.clock.now().getTime() - SETTLED_MS).toISOString();
    const found = await this.reads.unlogged(unseen.map(({ chainKey }) => chainKey));
    const open = new Set(found.map(({ chainKey }) => chainKey));
    for (const { chainKey, changedAt } of unseen)
      if (!open.has(chainKey) && changedAt < settled) this.logged.set(chainKey, changedAt);
    return found;
  }
}
