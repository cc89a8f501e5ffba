import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { compatibilityBreaches } from '../../domain/record-type/compatibility.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type { AjvSchemaValidator } from './ajv-schema-validator.ts';

/**
 * A task for the schema thread. Schemas and content are sent as JSON text: for the calling thread,
 * making and copying a text is many times cheaper than a structured clone.
 */
export type SchemaTask =
  | { readonly kind: 'check'; readonly schema: string }
  | {
      readonly kind: 'validate';
      readonly key: string;
      readonly schema: string;
      readonly value: string;
    }
  | { readonly kind: 'compare'; readonly previous: string; readonly next: string };

export type TaskAnswer = { readonly answer: string } | { readonly failure: string };

/** The answer is JSON text as well. */
export const performTask = (task: SchemaTask, validator: AjvSchemaValidator): TaskAnswer => {
  try {
    return { answer: JSON.stringify(resultOf(task, validator)) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
};

const resultOf = (task: SchemaTask, validator: AjvSchemaValidator): unknown => {
  switch (task.kind) {
    case 'check':
      return validator.check(JSON.parse(task.schema) as JsonObject);
    case 'validate':
      return validator.validate(
        task.key,
        JSON.parse(task.schema) as JsonObject,
        JSON.parse(task.value) as JsonValue,
      );
    case 'compare':
      return compatibilityBreaches(
        JSON.parse(task.previous) as Manifest,
        JSON.parse(task.next) as Manifest,
      );
  }
};
