import type { Worker } from 'node:worker_threads';
import { ALGORITHMS } from '../../../domain/vault/algorithm.ts';
import { scriptBeside, startThread } from '../start-thread.ts';
import type { SigningAnswer, SigningTask, SigningThreadKey } from './signing-messages.ts';

interface Waiting {
  readonly bytes: Uint8Array;
  readonly resolve: (signature: Uint8Array) => void;
  readonly reject: (reason: Error) => void;
}

/** After so long without any work the thread ends, ms: a key that was rotated away leaves none behind. */
const IDLE_MS = 30_000;
/** A thread that signs and nothing else needs little. */
const HEAP = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/**
 * A thread that signs what is waiting together: one message to it and one back for many signatures, where each job of
 * WebCrypto costs the caller as much as a third of a signature. It starts with the first one, and keeps no process alive.
 */
export class SigningThread {
  private worker: Worker | null = null;
  private waiting: Waiting[] = [];
  private running: readonly Waiting[] = [];
  private isDue = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly key: SigningThreadKey,
    private readonly idleMs = IDLE_MS,
  ) {}

  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** @throws Error where the thread ended or could not sign. */
  sign(bytes: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ bytes, resolve, reject });
      if (this.isDue || this.running.length > 0) return;
      // What else is asked for in this turn of the event loop goes along.
      this.isDue = true;
      setImmediate(() => {
        this.isDue = false;
        this.next();
      });
    });
  }

  private next(): void {
    if (this.running.length > 0) return;
    if (this.waiting.length === 0) return this.rest();
    clearTimeout(this.timer);
    this.running = this.waiting;
    this.waiting = [];
    try {
      this.ask(together(this.running.map(({ bytes }) => bytes)));
    } catch (cause) {
      // No thread could be started.
      this.answered({ failure: 'the thread that signs did not begin' }, cause);
    }
  }

  private ask(task: ReturnType<typeof together>): void {
    const worker = (this.worker ??= this.start());
    worker.ref();
    worker.postMessage(task, [task.bytes.buffer]);
  }

  private start(): Worker {
    const worker = startThread(scriptBeside(import.meta.url, 'signing-worker'), {
      workerData: this.key,
      resourceLimits: HEAP,
    });
    worker.on('message', (answer: SigningAnswer) => this.answered(answer));
    const lose = (cause: unknown): void => {
      if (this.worker !== worker) return;
      this.worker = null;
      this.answered({ failure: 'the thread that signs ended' }, cause);
    };
    worker.on('error', lose);
    worker.on('exit', lose);
    return worker;
  }

  private answered(answer: SigningAnswer, cause?: unknown): void {
    const done = this.running;
    this.running = [];
    if ('failure' in answer)
      for (const { reject } of done) reject(new Error(answer.failure, { cause }));
    else {
      const { signatureLength: length } = ALGORITHMS[this.key.algorithm];
      done.forEach(({ resolve }, index) =>
        resolve(answer.signatures.slice(index * length, (index + 1) * length)),
      );
    }
    this.next();
  }

  private rest(): void {
    const { worker } = this;
    if (!worker) return;
    worker.unref();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.worker !== worker || this.running.length > 0) return;
      this.worker = null;
      void worker.terminate();
    }, this.idleMs).unref();
  }
}

const together = (
  parts: readonly Uint8Array[],
): SigningTask & { bytes: { buffer: ArrayBuffer } } => {
  const lengths = parts.map(({ length }) => length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, lengths };
};
