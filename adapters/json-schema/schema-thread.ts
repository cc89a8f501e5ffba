import { Worker } from 'node:worker_threads';
import type { SchemaTask, TaskAnswer } from './schema-task.ts';

/**
 * The task was abandoned: too many tasks were waiting, it took too long, it exhausted the memory of
 * the thread, or the thread was stopped.
 */
export class TaskGivenUp extends Error {
  constructor(readonly reason: 'queue-full' | 'too-long' | 'crashed' | 'stopped') {
    super(`a schema task was given up: ${reason}`);
  }
}

interface Job {
  readonly task: SchemaTask;
  readonly size: number;
  readonly resolve: (answer: string) => void;
  readonly reject: (reason: Error) => void;
}

export interface ThreadLimits {
  /** The last safety net; the limits on steps come first. */
  readonly taskMs: number;
  readonly idleMs: number;
  readonly queuedTasks: number;
  readonly queuedCharacters: number;
}

const LIMITS: ThreadLimits = {
  taskMs: 10_000,
  idleMs: 30_000,
  queuedTasks: 256,
  queuedCharacters: 16 * 1024 * 1024,
};
const MAX_HEAP_MB = 256;

/**
 * One thread for schemas that would block the process. It starts with the first task, runs the
 * tasks one after the other, and stops after a while without any. A task that kills the thread is
 * abandoned, and the next one gets a new thread. An idle thread does not keep the process alive.
 */
export class SchemaThread {
  private readonly limits: ThreadLimits;
  private readonly waiting: Job[] = [];
  private worker: Worker | null = null;
  private running: Job | null = null;
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<ThreadLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** @throws TaskGivenUp; TypeError with the message of the error that the task itself threw. */
  run(task: SchemaTask): Promise<string> {
    const size = sizeOf(task);
    if (
      this.waiting.length >= this.limits.queuedTasks ||
      (this.characters > 0 && this.characters + size > this.limits.queuedCharacters)
    )
      return Promise.reject(new TaskGivenUp('queue-full'));
    this.characters += size;
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, size, resolve, reject });
      this.next();
    });
  }

  /** Abandons the waiting tasks and the running one. The thread starts again with the next task. */
  async stop(): Promise<void> {
    const worker = this.release();
    for (const job of this.waiting.splice(0)) this.giveUp(job, 'stopped');
    if (this.running) this.giveUp(this.running, 'stopped');
    this.running = null;
    await worker?.terminate();
  }

  private next(): void {
    if (this.running) return;
    const job = this.waiting.shift();
    if (!job) return this.rest();
    this.running = job;
    this.worker ??= this.start();
    this.worker.ref();
    this.setTimer(this.limits.taskMs, () => this.lose('too-long'));
    this.worker.postMessage(job.task);
  }

  private rest(): void {
    this.worker?.unref();
    this.setTimer(this.limits.idleMs, () => void this.release()?.terminate());
    this.timer?.unref();
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
    if (job) {
      this.characters -= job.size;
      if ('answer' in answer) job.resolve(answer.answer);
      else job.reject(new TypeError(answer.failure));
    }
    this.next();
  }

  private lose(reason: 'too-long' | 'crashed'): void {
    void this.release()?.terminate();
    if (this.running) this.giveUp(this.running, reason);
    this.running = null;
    this.next();
  }

  private giveUp(job: Job, reason: TaskGivenUp['reason']): void {
    this.characters -= job.size;
    job.reject(new TaskGivenUp(reason));
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

const sizeOf = (task: SchemaTask): number =>
  Object.values(task).reduce<number>((sum, text: string) => sum + text.length, 0);

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
