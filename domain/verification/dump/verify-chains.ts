import type { ChainRow } from '../entry/chain-entry.ts';
import type { Findings } from '../report/report.ts';
import { ChainCovers } from './chain-covers.ts';
import type { ChainTask } from './chain-task.ts';
import type { CoSignatureReplay } from './deferred-co-signatures.ts';
import { chainBlocksOf } from './rows/dump-blocks.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import type { Lanes, Placed } from './lanes.ts';
import type { Covers } from './rows/packed-cover.ts';
import type { RegisteredTypes } from './registry/registered-types.ts';
import type { ToldChildren } from './told-children.ts';
import { faultIn } from './rows/read-dump-rows.ts';
import { readCovers } from './verify-log.ts';

/** What the chains of a dump are held against together. */
export interface AcrossChains {
  /** Shown entries of the platform chain. */
  readonly platform: readonly { entry(row: ChainRow): void }[];
  readonly children: ToldChildren;
  readonly types: RegisteredTypes;
  readonly coSignatures: CoSignatureReplay;
}

export interface ChainsOutcome {
  readonly entries: number;
  readonly count: number;
  /** Entries beyond the newest checkpoint of their chain. */
  readonly beyond: number;
  /** Pieces of evidence that entries seal. A dump holds none of them. */
  readonly evidence: number;
}

/** The log, as far as chains are held against it. */
interface LogToHold {
  readonly covers: ChainCovers;
  /** How many checkpoints are held in memory, at least. */
  readonly window: number;
  /** The leaf that closes the newest round; null without one. */
  readonly closedBy: number | null;
}

/** Verifies the chains block by block, and puts together what was found of each. */
export const verifyChains = async (
  source: DumpSource,
  lanes: Lanes,
  { covers, window, closedBy }: LogToHold,
  findings: Findings,
  across: AcrossChains,
): Promise<ChainsOutcome> => {
  const held = new HeldCovers(source, lanes, covers, window);
  let [entries, count, beyond, evidence] = [0, 0, 0, 0];
  for await (const answer of lanes.inOrder(tasksOf(source, lanes, held, closedBy, findings))) {
    findings.add(answer.found);
    for (const row of answer.platform) for (const reader of across.platform) reader.entry(row);
    across.coSignatures.show(answer.coSignatures);
    across.types.show(answer.types);
    across.children.show(answer.steps);
    entries += answer.entries;
    count += answer.chains;
    beyond += answer.beyond;
    evidence += answer.evidence;
  }
  await across.children.end(source);
  across.types.end();
  return { entries, count, beyond, evidence };
};

async function* tasksOf(
  source: DumpSource,
  lanes: Lanes,
  held: HeldCovers,
  closedBy: number | null,
  findings: Findings,
): AsyncGenerator<Placed<ChainTask>> {
  const parts = source.open('audit_vault');
  if (!parts) faultIn('audit_vault', findings, ' is missing');
  for await (const block of chainBlocksOf(parts ?? NOTHING, lanes.buffers)) {
    const covers = await held.upTo(block.isLast ? null : block.highest);
    yield { task: { kind: 'chains', block, covers, closedBy }, continues: block.continues };
  }
}

const NOTHING: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {
    // What is missing has no lines, and its checkpoints are left over.
  },
};

/** Gives the checkpoints out as the chains come, and reads those again that were left out. */
export class HeldCovers {
  constructor(
    private readonly source: DumpSource,
    private readonly lanes: Lanes,
    private covers: ChainCovers,
    private readonly window: number,
  ) {}

  /** Those of chain keys that are not above this one; null: all that are left. */
  async upTo(chainKey: string | null): Promise<Covers> {
    const taken: Covers[] = [];
    for (;;) {
      taken.push(this.covers.takeUpTo(chainKey));
      const { end } = this.covers;
      if (end === null || (chainKey !== null && chainKey < end)) return joined(taken);
      const next = new ChainCovers(end, this.window);
      this.covers = await readCovers(this.source, this.lanes, next);
    }
  }
}

const joined = (all: readonly Covers[]): Covers => {
  if (all.length === 1) return all[0]!;
  const length = all.reduce((sum, { packed }) => sum + packed.length, 0);
  const packed = new Uint8Array(length);
  let at = 0;
  for (const covers of all) {
    packed.set(covers.packed, at);
    at += covers.packed.length;
  }
  return { packed, named: all.flatMap(({ named }) => named) };
};
