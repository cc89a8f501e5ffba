import type { Story, StoryStep } from '../report/story.ts';
import type { FederatedSide, SideEntry } from '../federation/federated-side.ts';

/** What happened on two hubs, in one order. Each hub dates by its own clock. */
export interface TimeLine {
  /** Of two valid files; otherwise this is what the files say, and nothing more. */
  readonly verified: boolean;
  readonly steps: readonly TimeLineStep[];
}

export interface TimeLineStep extends StoryStep {
  /** Which of the two files tells it. */
  readonly file: 'first' | 'other';
  readonly recordId: string | null;
}

/** A story with what its hub received from the other one. */
export interface ToldSide {
  readonly story: Story;
  /** Null where the file shows none. */
  readonly side: FederatedSide | null;
}

/**
 * The steps of two stories by time, those of one chain in its order, and what a message caused after the entries that came
 * with it: the clocks of two hubs may differ by more than the way between them takes.
 */
export const timeLineOf = (first: ToldSide, other: ToldSide): TimeLine => {
  const [left, right] = [told(first, 'first'), told(other, 'other')];
  const steps: TimeLineStep[] = [];
  const shown = { first: 0, other: 0 };
  for (let [a, b] = [0, 0]; a < left.length || b < right.length;) {
    const { step } = (isFirst(left[a], right[b], shown) ? left[a++] : right[b++])!;
    steps.push(step);
    shown[step.file] = step.position ?? shown[step.file];
  }
  return { verified: first.story.verified && other.story.verified, steps };
};

interface Caused {
  readonly step: TimeLineStep;
  /** Of the other chain: the entry that has to stand before; 0 where none has. */
  readonly after: number;
}

const isFirst = (
  a: Caused | undefined,
  b: Caused | undefined,
  shown: Readonly<Record<TimeLineStep['file'], number>>,
): boolean => {
  if (!a || !b) return a !== undefined;
  if (b.after > shown.first) return true;
  if (a.after > shown.other) return false;
  return timeOf(a.step) <= timeOf(b.step);
};

const told = ({ story, side }: ToldSide, file: TimeLineStep['file']): readonly Caused[] => {
  const causes = new Map<number, number>();
  const entries = new Map((side?.entries ?? []).map((one) => [one.position, one]));
  for (const { direction, attestation, entries: came } of side?.messages ?? []) {
    const [position, sent] = [attestation?.position, came.at(-1)?.position];
    if (direction === 'out' || !position || !sent) continue;
    causes.set(position, sent);
    // What was applied stands right before its attestation.
    if (isOfPeer(entries.get(position - 1))) causes.set(position - 1, sent);
  }
  const recordId = story.record?.recordId ?? null;
  return story.steps.map((step) => ({
    step: { ...step, file, recordId },
    after: causes.get(step.position ?? 0) ?? 0,
  }));
};

const isOfPeer = (entry: SideEntry | undefined): boolean => {
  const actor = entry?.predicate['actor'] as { readonly kind?: unknown } | undefined;
  return actor?.kind === 'peer' && entry?.entryType !== 'PEER_STATEMENT_ATTESTED';
};

/** What has no time stands right where its chain has it. */
const timeOf = ({ at }: TimeLineStep): string => at ?? '';
