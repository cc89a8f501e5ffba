import type { Story, StoryStep } from '../story/story.ts';

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

/** The steps of two stories by time, those of one chain always in its order. */
export const timeLineOf = (first: Story, other: Story): TimeLine => {
  const [left, right] = [told(first, 'first'), told(other, 'other')];
  const steps: TimeLineStep[] = [];
  while (left.length > 0 && right.length > 0)
    steps.push((timeOf(right[0]!) < timeOf(left[0]!) ? right : left).shift()!);
  return { verified: first.verified && other.verified, steps: [...steps, ...left, ...right] };
};

const told = ({ steps, record }: Story, file: TimeLineStep['file']): TimeLineStep[] =>
  steps.map((step) => ({ ...step, file, recordId: record?.recordId ?? null }));

/** What has no time stands right where its chain has it. */
const timeOf = ({ at }: TimeLineStep): string => at ?? '';
