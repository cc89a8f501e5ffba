import { parentPort } from 'node:worker_threads';
import { AjvSchemaValidator } from './ajv-schema-validator.ts';
import { performTask, type SchemaTask } from './schema-task.ts';

/** Runs in the thread of schema-thread.ts, and answers one task at a time, in order. */
const validator = new AjvSchemaValidator();

parentPort?.on('message', (task: SchemaTask) =>
  parentPort?.postMessage(performTask(task, validator)),
);
