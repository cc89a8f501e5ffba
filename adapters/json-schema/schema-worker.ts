import { parentPort } from 'node:worker_threads';
import { AjvSchemaValidator } from './ajv-schema-validator.ts';
import { performTask, type SchemaTask } from './schema-task.ts';

/** What runs in the thread of schema-thread.ts: one task at a time, answered in turn. */
const validator = new AjvSchemaValidator();

parentPort?.on('message', (task: SchemaTask) =>
  parentPort?.postMessage(performTask(task, validator)),
);
