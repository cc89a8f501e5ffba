import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type {
  AnswerOf,
  DumpLanes,
  LaneAnswer,
  LaneSetting,
  LaneTask,
  OpenLanes,
} from '../../domain/verification/dump/lane.port.ts';
import { oneLane } from '../../domain/verification/dump/lane-work.ts';
import { ImmediateChecks } from '../../domain/vault/signatures.ts';
import { runtimeEquation } from './runtime-equation.ts';

/** More would not fit into the memory that a verification may take. */
const MAX_THREADS = 8;
/** A thread is started for so many bytes at least: to start one takes longer than to verify less. */
const BYTES_A_THREAD = 4 * 1024 * 1024;

/** A thread for each core where a dump is large enough, and else the thread that reads it. */
export const lanesIn =
  (script: URL, bytes: number): OpenLanes =>
  (setting) => {
    const count = threadsFor(bytes);
    return count > 0
      ? new DumpThreads(script, count, setting)
      : oneLane(new ImmediateChecks(runtimeEquation()))(setting);
  };

/** How many threads a dump of so many bytes is worth; 0: it is verified where it is read. */
export const threadsFor = (bytes: number, cores = availableParallelism()): number =>
  cores < 2 ? 0 : Math.min(cores, MAX_THREADS, Math.floor(bytes / BYTES_A_THREAD));

/** A thread a lane. Where one ends before it is told to, so does the verification: what it had to do is not done. */
export class DumpThreads implements DumpLanes {
  private readonly threads: readonly LaneThread[];

  /** @param script which calls `serveLane`. */
  constructor(script: URL, count: number, setting: LaneSetting) {
    this.threads = Array.from({ length: count }, () => new LaneThread(script, setting));
  }

  get count(): number {
    return this.threads.length;
  }

  run<T extends LaneTask>(lane: number, task: T): Promise<AnswerOf<T>> {
    return this.threads[lane]!.run(task) as Promise<AnswerOf<T>>;
  }

  async end(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.end()));
  }
}

interface Waiting {
  readonly resolve: (answer: LaneAnswer) => void;
  readonly reject: (reason: Error) => void;
}

class LaneThread {
  private readonly worker: Worker;
  /** Answers come in the order of the tasks. */
  private readonly waiting: Waiting[] = [];
  private lost: Error | null = null;

  constructor(script: URL, setting: LaneSetting) {
    this.worker = startWorker(script, setting);
    this.worker.on('message', (answer: LaneAnswer) => this.waiting.shift()?.resolve(answer));
    this.worker.on('error', (cause) => this.lose(cause));
    this.worker.on('exit', () => this.lose(undefined));
  }

  run(task: LaneTask): Promise<LaneAnswer> {
    if (this.lost) return Promise.reject(this.lost);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(task, [task.block.buffer]);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private lose(cause: unknown): void {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    this.lost ??= new Error(`a thread ended before its work was done${reason}`, { cause });
    for (const { reject } of this.waiting.splice(0)) reject(this.lost);
  }
}

/** Where the script is TypeScript, the thread needs the loader under which tests and benchmarks run. */
const startWorker = (script: URL, workerData: LaneSetting): Worker => {
  const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };
  const options = { execArgv: [], workerData, resourceLimits };
  if (!script.pathname.endsWith('.ts')) return new Worker(script, options);
  const name = JSON.stringify(script.href);
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${name}); })`,
    { ...options, eval: true },
  );
};
