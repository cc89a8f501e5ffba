import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { allSchemas, isSchemaObject } from '../../domain/record-type/schema-walk.ts';

/**
 * Copies the schema so that every subschema charges for its keywords, for each character where it
 * measures a string, and for each member where it iterates over an object.
 */
export const metered = (schema: JsonObject): JsonObject => {
  const copy = JSON.parse(JSON.stringify(schema)) as JsonObject;
  for (const { schema: sub } of allSchemas(copy)) {
    if (!isSchemaObject(sub)) continue;
    const listed =
      [sub.required, sub.properties, sub.dependentRequired, sub.dependentSchemas].reduce<number>(
        (sum, list) => sum + (list === undefined ? 0 : Object.keys(list as object).length),
        0,
      ) +
      (isSchemaObject(sub.dependentRequired)
        ? Object.values(sub.dependentRequired).flat().length
        : 0);
    const perCharacter =
      sub.format !== undefined
        ? 2
        : sub.maxLength !== undefined || sub.minLength !== undefined
          ? 0.25
          : 0;
    const perMember =
      WALKING.filter((keyword) => sub[keyword] !== undefined).length * STEPS_PER_MEMBER +
      (isSchemaObject(sub.patternProperties)
        ? Object.keys(sub.patternProperties).length * STEPS_PER_TEST
        : 0);
    const calls = sub.$ref === undefined && sub.$dynamicRef === undefined ? 0 : 4;
    Object.assign(sub, {
      [STEPS]: [
        (1 + Object.keys(sub).length + listed + calls) * STEPS_PER_KEYWORD,
        perCharacter,
        perMember,
      ],
    });
  }
  return copy;
};

/**
 * The keyword that is added to every subschema before compilation: evaluating the subschema charges
 * its steps.
 */
export const STEPS = '$steps';

const STEPS_PER_KEYWORD = 4;

const STEPS_PER_MEMBER = 20;

/** For testing the name of one member against one pattern of patternProperties. */
const STEPS_PER_TEST = 60;

/**
 * Keywords that iterate over the members of an instance, in addition to what their subschemas
 * charge.
 */
const WALKING = [
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
  'contains',
  'unevaluatedItems',
] as const;
