import { FairQueue } from './fair-queue.ts';
import type { SchemaTask } from './schema-task.ts';
import { SchemaThread, TaskGivenUp, type ThreadLimits } from './schema-thread.ts';

export interface LaneLimits extends ThreadLimits {
  readonly threads: number;
  /** A task that waited for longer is given up: whoever asked has gone. */
  readonly waitMs: number;
  readonly queuedTasks: number;
  readonly queuedCharacters: number;
  /** Of one org, the running one included. */
  readonly tasksPerOrg: number;
  readonly charactersPerOrg: number;
}

interface Job {
  readonly org: string;
  readonly task: SchemaTask;
  readonly size: number;
  readonly waitsUntil: number;
  readonly resolve: (answer: string) => void;
  readonly reject: (reason: unknown) => void;
}

interface Share {
  tasks: number;
  characters: number;
  isRunning: boolean;
}

/**
 * Tasks of one kind, of all orgs. The orgs take turns, and none has more than one thread, so another
 * org finds a thread free or waits for a single task.
 */
export class SchemaLane {
  private readonly limits: LaneLimits;
  private readonly waiting = new FairQueue<Job>();
  private readonly shares = new Map<string, Share>();
  private readonly threads: readonly SchemaThread[];
  private characters = 0;

  constructor(limits: Partial<LaneLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
    this.threads = Array.from({ length: this.limits.threads }, () => new SchemaThread(this.limits));
  }

  get isRunning(): boolean {
    return this.threads.some((thread) => thread.isRunning);
  }

  /** @throws TaskGivenUp; TypeError with the message of the error that the task itself threw. */
  run(org: string, task: SchemaTask): Promise<string> {
    const size = sizeOf(task);
    const share = this.shares.get(org) ?? { tasks: 0, characters: 0, isRunning: false };
    const { tasksPerOrg, charactersPerOrg, queuedTasks, queuedCharacters, waitMs } = this.limits;
    if (share.tasks >= tasksPerOrg || exceeds(share.characters, size, charactersPerOrg))
      return Promise.reject(new TaskGivenUp('org-full'));
    if (this.waiting.length >= queuedTasks || exceeds(this.characters, size, queuedCharacters))
      return Promise.reject(new TaskGivenUp('queue-full'));
    share.tasks++;
    share.characters += size;
    this.characters += size;
    this.shares.set(org, share);
    const waitsUntil = performance.now() + waitMs;
    return new Promise((resolve, reject) => {
      this.waiting.push(org, { org, task, size, waitsUntil, resolve, reject });
      this.serve();
    });
  }

  /** Abandons the waiting tasks and the running ones. The lane starts again with the next task. */
  async stop(): Promise<void> {
    for (const job of this.waiting.clear()) {
      this.release(job);
      job.reject(new TaskGivenUp('stopped'));
    }
    await Promise.all(this.threads.map((thread) => thread.stop()));
  }

  private serve(): void {
    for (;;) {
      const thread = this.threads.find((one) => !one.isBusy);
      const job = thread && this.waiting.shift((org) => !this.shares.get(org)?.isRunning);
      if (!job) return;
      if (performance.now() > job.waitsUntil) {
        this.release(job);
        job.reject(new TaskGivenUp('waited'));
      } else void this.perform(thread, job);
    }
  }

  private async perform(thread: SchemaThread, job: Job): Promise<void> {
    const share = this.shares.get(job.org);
    if (share) share.isRunning = true;
    const outcome = await thread.run(job.task).then(
      (answer) => () => job.resolve(answer),
      (error: unknown) => () => job.reject(error),
    );
    if (share) share.isRunning = false;
    this.release(job);
    outcome();
    this.serve();
  }

  private release({ org, size }: Job): void {
    this.characters -= size;
    const share = this.shares.get(org);
    if (!share) return;
    share.tasks--;
    share.characters -= size;
    if (share.tasks === 0) this.shares.delete(org);
  }
}

const LIMITS: LaneLimits = {
  threads: 2,
  taskMs: 10_000,
  idleMs: 30_000,
  waitMs: 20_000,
  queuedTasks: 1024,
  queuedCharacters: 64 * 1024 * 1024,
  tasksPerOrg: 128,
  charactersPerOrg: 16 * 1024 * 1024,
};

/** A single task always fits. */
const exceeds = (held: number, size: number, limit: number): boolean =>
  held > 0 && held + size > limit;

const sizeOf = (task: SchemaTask): number =>
  Object.values(task).reduce<number>((sum, text: string) => sum + text.length, 0);
