import type { Worker } from 'node:worker_threads';
import { scriptBeside, startThread } from './start-thread.ts';
import { overloaded, readFailure, unavailable } from '../base/database-error.ts';
import { SQLITE } from './sqlite.ts';
import type { RawReader, SqlValue } from '../base/session.ts';
import type { ReadAnswer, ReaderThreadData, ReadMessage } from './sqlite-reader-worker.ts';

/** Without a question for so long, ms, the thread ends. */
const IDLE_MS = 30_000;
/** A read of many rows takes seconds, and one comes after the other. */
const MAX_WAITING = 64;

interface Waiting {
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Committed rows of a file, read in a thread with a connection of its own, which starts with the first question. An idle
 * thread does not keep the process alive.
 */
export class SqliteReaderThread implements RawReader {
  #worker: Worker | null = null;
  #isOver = new Int32Array(new SharedArrayBuffer(4));
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;
  readonly #waiting = new Map<number, Waiting>();

  constructor(private readonly filename: string) {}

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    if (this.#isClosed) return Promise.reject(unavailable(new Error('the reader was closed')));
    if (this.#waiting.size >= MAX_WAITING)
      return Promise.reject(overloaded(new Error('too many reads of many rows are waiting')));
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      worker.postMessage({ id, sql, values } satisfies ReadMessage);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(new Error('the reader was closed'));
  }

  #start(): Worker {
    const script = scriptBeside(import.meta.url, 'sqlite-reader-worker');
    this.#isOver = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ReaderThreadData = { filename: this.filename, isOver: this.#isOver };
    const worker = startThread(script, { workerData });
    worker.on('message', (answer: ReadAnswer) => this.#take(answer));
    const lose = (cause: Error): void => {
      if (worker === this.#worker) this.#forget(cause);
    };
    worker.on('error', lose);
    worker.on('exit', (code) => lose(new Error(`the thread of reads ended with code ${code}`)));
    return worker;
  }

  #take(answer: ReadAnswer): void {
    const asked = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('rows' in answer) asked?.resolve(answer.rows);
    else {
      const error = Object.assign(new Error(answer.message), { errcode: answer.errcode });
      asked?.reject(readFailure(error, SQLITE.classify(error)));
    }
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.#end(new Error('idle')), IDLE_MS).unref();
  }

  /**
   * Resolves when the thread has ended, with the statement at which it is. It is not terminated: the driver aborts the whole
   * process where a thread is taken away from it in the middle of a statement.
   */
  async #end(cause: Error): Promise<void> {
    const worker = this.#worker;
    this.#forget(cause);
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    Atomics.store(this.#isOver, 0, 1);
    worker.postMessage(null satisfies ReadMessage);
    await ended;
  }

  /** Whoever still waits is told; the next question gets a new thread. */
  #forget(cause: Error): void {
    clearTimeout(this.#idle);
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(unavailable(cause));
    this.#waiting.clear();
  }
}
