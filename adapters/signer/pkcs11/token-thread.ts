import type { Worker } from 'node:worker_threads';
import type { TokenAnswer, TokenKeyName, TokenTask } from './token-messages.ts';
import { scriptBeside, startThread } from '../start-thread.ts';

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (reason: Error) => void;
}

/** A thread that holds the session with a token, so that a slow one never stops the service. It keeps no process alive. */
export class TokenThread {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(private readonly name: TokenKeyName) {}

  /**
   * @param bytes to be signed; null: the SPKI of the key is asked for.
   * @throws Error with the token's reason.
   */
  ask(bytes: Uint8Array | null): Promise<Uint8Array> {
    const worker = (this.worker ??= this.start());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, bytes } satisfies TokenTask);
    });
  }

  private start(): Worker {
    const worker = startWorker(this.name);
    worker.on('message', (answer: TokenAnswer) => {
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (this.waiting.size === 0) worker.unref();
      if ('failure' in answer) waiting?.reject(new Error(answer.failure));
      else waiting?.resolve(answer.bytes);
    });
    const lose = (cause: unknown): void => {
      if (this.worker !== worker) return;
      this.worker = null;
      for (const { reject } of this.waiting.values())
        reject(new Error('the thread of the token ended', { cause }));
      this.waiting.clear();
    };
    worker.on('error', lose);
    worker.on('exit', lose);
    return worker;
  }
}

const startWorker = (workerData: TokenKeyName): Worker =>
  startThread(scriptBeside(import.meta.url, 'token-worker'), { workerData });
