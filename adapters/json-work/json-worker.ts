import { parentPort } from 'node:worker_threads';
import { performJsonTask, type JsonTask } from './json-task.ts';

/** Runs in the thread of json-thread.ts, and answers one task at a time, in order. */
parentPort?.on('message', (task: JsonTask) => parentPort?.postMessage(performJsonTask(task)));
