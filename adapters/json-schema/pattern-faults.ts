import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { FieldError } from '../../domain/kernel/errors.ts';
import { appendPointer } from '../../domain/record-type/json-pointer.ts';
import { allSchemas, isSchemaObject } from '../../domain/record-type/schema-walk.ts';
import { linearRegExp } from './linear-regexp.ts';

export const patternFaults = (schema: JsonObject): FieldError[] =>
  allSchemas(schema).flatMap(({ schema: sub, pointer }) => {
    if (!isSchemaObject(sub)) return [];
    const patterns: [string, string, string][] =
      typeof sub.pattern === 'string'
        ? [['pattern', sub.pattern, appendPointer(pointer, 'pattern')]]
        : [];
    if (isSchemaObject(sub.patternProperties))
      for (const name of Object.keys(sub.patternProperties))
        patterns.push([
          'patternProperties',
          name,
          appendPointer(appendPointer(pointer, 'patternProperties'), name),
        ]);
    return patterns.flatMap(([keyword, pattern, path]) => {
      const reason = patternFault(pattern);
      return reason === null
        ? []
        : [
            {
              path,
              keyword,
              message: `the pattern cannot run on a linear-time engine (no look-around, no back-references): ${reason}`,
            },
          ];
    });
  });

const patternFault = (pattern: string): string | null => {
  try {
    linearRegExp(pattern, { charge: () => undefined });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
