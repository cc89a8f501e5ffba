import { Worker } from 'node:worker_threads';
import type { SchemaTask, TaskAnswer } from './schema-task.ts';

/**
 * The task was abandoned: too many tasks of its org, or of all, were waiting, it waited or took too
 * long, it exhausted the memory of the thread, or the thread was stopped.
 */
export class TaskGivenUp extends Error {
  constructor(
    readonly reason: 'org-full' | 'queue-full' | 'waited' | 'too-long' | 'crashed' | 'stopped',
  ) {
    super(`a schema task was given up: ${reason}`);
  }
}

interface Job {
  readonly resolve: (answer: string) => void;
  readonly reject: (reason: Error) => void;
}

export interface ThreadLimits {
  /** The last safety net; the limits on steps come first. */
  readonly taskMs: number;
  readonly idleMs: number;
}

const MAX_HEAP_MB = 256;

/**
 * A thread for schemas that would block the process. It starts with its first task, takes one task
 * at a time, and stops after a while without any. A task that kills the thread is abandoned, and the
 * next one gets a new thread. An idle thread does not keep the process alive.
 */
export class SchemaThread {
  private worker: Worker | null = null;
  private running: Job | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ThreadLimits) {}

  get isRunning(): boolean {
    return this.worker !== null;
  }

  get isBusy(): boolean {
    return this.running !== null;
  }

  /**
   * Only while it is not busy.
   *
   * @throws TaskGivenUp; TypeError with the message of the error that the task itself threw.
   */
  run(task: SchemaTask): Promise<string> {
    return new Promise((resolve, reject) => {
      this.running = { resolve, reject };
      this.worker ??= this.start();
      this.worker.ref();
      this.setTimer(this.limits.taskMs, () => this.lose('too-long'));
      this.worker.postMessage(task);
    });
  }

  /** Abandons the running task. The thread starts again with the next one. */
  async stop(): Promise<void> {
    const worker = this.release();
    this.giveUp('stopped');
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = startWorker();
    const isCurrent = (): boolean => this.worker === worker;
    worker.on('message', (answer: TaskAnswer) => {
      if (isCurrent()) this.finish(answer);
    });
    worker.on('error', () => {
      if (isCurrent()) this.lose('crashed');
    });
    worker.on('exit', () => {
      if (isCurrent()) this.lose('crashed');
    });
    return worker;
  }

  private finish(answer: TaskAnswer): void {
    const job = this.running;
    this.running = null;
    this.rest();
    if (!job) return;
    if ('answer' in answer) job.resolve(answer.answer);
    else job.reject(new TypeError(answer.failure));
  }

  private rest(): void {
    this.worker?.unref();
    this.setTimer(this.limits.idleMs, () => void this.release()?.terminate());
    this.timer?.unref();
  }

  private lose(reason: 'too-long' | 'crashed'): void {
    void this.release()?.terminate();
    this.giveUp(reason);
  }

  private giveUp(reason: TaskGivenUp['reason']): void {
    const job = this.running;
    this.running = null;
    job?.reject(new TaskGivenUp(reason));
  }

  private release(): Worker | null {
    clearTimeout(this.timer);
    const { worker } = this;
    this.worker = null;
    return worker;
  }

  private setTimer(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, milliseconds);
  }
}

/**
 * The script beside this one. Where it is TypeScript, the thread needs the loader under which tests
 * and benchmarks run.
 */
const startWorker = (): Worker => {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./schema-worker.js', import.meta.url), {
      execArgv: [],
      resourceLimits,
    });
  const script = JSON.stringify(new URL('./schema-worker.ts', import.meta.url).href);
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${script}); })`,
    { eval: true, execArgv: [], resourceLimits },
  );
};
