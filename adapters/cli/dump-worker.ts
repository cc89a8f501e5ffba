import { parentPort, workerData } from 'node:worker_threads';
import type { LaneSetting, LaneTask } from '../../domain/verification/dump/lane.port.ts';
import { LaneWork } from '../../domain/verification/dump/lane-work.ts';
import { ImmediateChecks } from '../../domain/vault/signatures.ts';
import { runtimeEquation } from './runtime-equation.ts';

/** Does the tasks of one lane in this thread, in the order in which they come, and gives each buffer back with its answer. */
export const serveLane = (): void => {
  const port = parentPort!;
  const work = new LaneWork(workerData as LaneSetting, new ImmediateChecks(runtimeEquation()));
  let last: Promise<void> = Promise.resolve();
  port.on('message', (task: LaneTask) => {
    last = last.then(async () => {
      const answer = await work.do(task);
      const packed = answer.kind === 'log' ? [answer.leaves.packed.buffer] : [];
      port.postMessage(answer, [answer.buffer, ...packed]);
    });
  });
};
