import type { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { rowsOfChains } from './rows/rows-of-chains.ts';

/** Entries of one call are of one time, as far as the clock of a chain goes before that of another. */
const ONE_CALL_MS = 60_000;

/** More are not held: a genuine dump has hardly any at a time. */
const MOST = 100_000;

interface Unnamed {
  readonly parent: string;
  /** Of its first entry, ISO 8601 with milliseconds. */
  readonly at: string;
}

/**
 * The records of a dump whose chain names a parent, as long as no entry of that parent names them. A delegation seals both
 * at once; so a parent whose chain goes on for longer, and never names the child, hides it.
 */
export class UnnamedChildren {
  private readonly byChild = new Map<string, Unnamed>();
  private isFull = false;

  constructor(private readonly losses: AcknowledgedLosses) {}

  add(child: string, parent: string, at: string): void {
    if (this.losses.hasLost(parent, at)) return;
    if (this.byChild.size < MOST) this.byChild.set(child, { parent, at });
    else this.isFull = true;
  }

  /** An entry of the parent delegates the child. */
  named(child: string, parent: string): void {
    if (this.byChild.size > 0 && this.byChild.get(child)?.parent === parent)
      this.byChild.delete(child);
  }

  /** Reads the files again, where a child is left: of its parent alone. */
  async judge(source: DumpSource, readAheadMs: number): Promise<JudgedChildren> {
    const hidden: string[] = [];
    let open = this.isFull ? 1 : 0;
    if (this.byChild.size === 0) return { hidden, open };
    const parents = new Set([...this.byChild.values()].map(({ parent }) => parent));
    const ends = await newestOf(source, 'audit_vault', parents);
    const covers = await newestOf(source, 'vault_checkpoints', parents);
    for (const [child, { parent, at }] of this.byChild) {
      const began = Date.parse(at);
      const wentOn = (ends.get(parent) ?? 0) > began + ONE_CALL_MS;
      const isCovered = ends.has(parent) && (covers.get(parent) ?? 0) > began + readAheadMs;
      if (wentOn || isCovered) hidden.push(child);
      else open++;
    }
    return { hidden, open };
  }
}

export interface JudgedChildren {
  /** Their parents should have named them. */
  readonly hidden: readonly string[];
  /** How many others there are: the parent may name them where this dump ends. */
  readonly open: number;
}

/** Of these chains, the newest sealed time of a row: milliseconds since the epoch. */
const newestOf = async (
  source: DumpSource,
  file: 'audit_vault' | 'vault_checkpoints',
  chainKeys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> => {
  const newest = new Map<string, number>();
  for await (const row of rowsOfChains(source, file, (chainKey) => chainKeys.has(chainKey))) {
    const at = Date.parse(String(row.sealed('at'))) || 0;
    if (chainKeys.has(row.chainKey))
      newest.set(row.chainKey, Math.max(newest.get(row.chainKey) ?? 0, at));
  }
  return newest;
};
