import { Worker } from 'node:worker_threads';
import { FairQueue } from './fair-queue.ts';
import type { JsonAnswer, JsonTask } from './json-task.ts';

/** The text was abandoned: too many were waiting, it took too long, it killed the thread, or the thread was stopped. */
export class ReadGivenUp extends Error {
  constructor(readonly reason: 'queue-full' | 'too-long' | 'crashed' | 'stopped') {
    super(`a text was given up: ${reason}`);
  }
}

interface Job {
  readonly task: JsonTask;
  readonly resolve: (answer: JsonAnswer) => void;
  readonly reject: (reason: Error) => void;
}

export interface JsonThreadLimits {
  /** For one text, ms. Ordinary ones take some tens of milliseconds. */
  readonly taskMs: number;
  readonly idleMs: number;
  readonly queuedTexts: number;
  /** Of one sender. */
  readonly queuedBySender: number;
  readonly queuedBytes: number;
  readonly heapMb: number;
}

const LIMITS: JsonThreadLimits = {
  taskMs: 10_000,
  idleMs: 30_000,
  queuedTexts: 256,
  queuedBySender: 32,
  queuedBytes: 64 * 1024 * 1024,
  heapMb: 256,
};

/**
 * One thread for long texts. It starts with the first one, reads one after the other, and stops after a while without
 * any. A text that kills the thread is abandoned, and the next one gets a new thread. An idle thread does not keep the
 * process alive.
 */
export class JsonThread {
  private readonly limits: JsonThreadLimits;
  private readonly waiting = new FairQueue<Job>();
  private worker: Worker | null = null;
  private running: Job | null = null;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<JsonThreadLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** @throws ReadGivenUp. */
  run(sender: string, task: JsonTask): Promise<JsonAnswer> {
    const { queuedTexts, queuedBySender, queuedBytes } = this.limits;
    const size = task.bytes.length;
    if (
      this.waiting.size >= queuedTexts ||
      this.waiting.sizeOf(sender) >= queuedBySender ||
      (this.bytes > 0 && this.bytes + size > queuedBytes)
    )
      return Promise.reject(new ReadGivenUp('queue-full'));
    this.bytes += size;
    return new Promise((resolve, reject) => {
      this.waiting.add(sender, { task, resolve, reject });
      this.next();
    });
  }

  /** Abandons the waiting texts and the running one. The thread starts again with the next text. */
  async stop(): Promise<void> {
    const worker = this.release();
    for (const job of this.waiting.drain()) this.giveUp(job, 'stopped');
    if (this.running) this.giveUp(this.running, 'stopped');
    this.running = null;
    await worker?.terminate();
  }

  private next(): void {
    if (this.running) return;
    const job = this.waiting.take();
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
    const worker = startWorker(this.limits.heapMb);
    const lose = (): void => {
      if (this.worker === worker) this.lose('crashed');
    };
    worker.on('message', (answer: JsonAnswer) => {
      if (this.worker === worker) this.finish(answer);
    });
    worker.on('error', lose);
    worker.on('exit', lose);
    return worker;
  }

  private finish(answer: JsonAnswer): void {
    const job = this.running;
    this.running = null;
    if (job) {
      this.bytes -= job.task.bytes.length;
      job.resolve(answer);
    }
    this.next();
  }

  private lose(reason: 'too-long' | 'crashed'): void {
    void this.release()?.terminate();
    if (this.running) this.giveUp(this.running, reason);
    this.running = null;
    this.next();
  }

  private giveUp({ task, reject }: Job, reason: ReadGivenUp['reason']): void {
    this.bytes -= task.bytes.length;
    reject(new ReadGivenUp(reason));
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
 * The script beside this one. Where it is TypeScript, the thread needs the loader under which tests and benchmarks
 * run.
 */
const startWorker = (heapMb: number): Worker => {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb };
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./json-worker.js', import.meta.url), {
      execArgv: [],
      resourceLimits,
    });
  const script = JSON.stringify(new URL('./json-worker.ts', import.meta.url).href);
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${script}); })`,
    { eval: true, execArgv: [], resourceLimits },
  );
};
