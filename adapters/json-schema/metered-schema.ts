import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { allSchemas, isSchemaObject } from '../../domain/record-type/schema-walk.ts';

/** A copy in which every subschema charges for its keywords, for each character where it measures a string, and for each member where it walks an object. */
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

/** Put into every subschema before it is compiled: evaluating the subschema charges this many steps. */
export const STEPS = '$steps';

const STEPS_PER_KEYWORD = 4;

const STEPS_PER_MEMBER = 20;

/** Of the name of a member against a pattern of patternProperties. */
const STEPS_PER_TEST = 60;

/** Keywords that walk the members of an instance, whatever their subschema charges. */
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
