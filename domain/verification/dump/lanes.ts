import { BlockBuffers } from './rows/dump-blocks.ts';
import type { AnswerOf, DumpLanes, LaneTask } from './lane.port.ts';

export interface Placed<T extends LaneTask> {
  readonly task: T;
  /** It goes to the lane of the task before it. */
  readonly continues: boolean;
}

/** Tasks that a lane holds at once: one that runs, and one that is there when it ended. */
const DEPTH = 2;

/** Gives tasks to the lanes, few enough at once to bound the memory, and their answers in the order of the tasks. */
export class Lanes {
  readonly buffers = new BlockBuffers();
  private readonly held: number[];

  constructor(private readonly lanes: DumpLanes) {
    this.held = Array.from({ length: lanes.count }, () => 0);
  }

  async *inOrder<T extends LaneTask>(tasks: AsyncIterable<Placed<T>>): AsyncGenerator<AnswerOf<T>> {
    const running: Promise<AnswerOf<T>>[] = [];
    let lane = 0;
    for await (const { task, continues } of tasks) {
      if (!continues) lane = this.idlest();
      running.push(this.start(lane, task));
      if (running.length >= DEPTH * this.lanes.count) yield await this.ended(running.shift()!);
    }
    for (const next of running) yield await this.ended(next);
  }

  private start<T extends LaneTask>(lane: number, task: T): Promise<AnswerOf<T>> {
    this.held[lane]!++;
    const answer = this.lanes.run(lane, task).finally(() => this.held[lane]!--);
    // It is awaited in its turn, and the one before it may fail first.
    answer.catch(() => undefined);
    return answer;
  }

  private async ended<T extends LaneTask>(running: Promise<AnswerOf<T>>): Promise<AnswerOf<T>> {
    const answer = await running;
    this.buffers.give(answer.buffer);
    return answer;
  }

  private idlest(): number {
    return this.held.indexOf(Math.min(...this.held));
  }
}
