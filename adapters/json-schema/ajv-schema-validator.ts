import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
} from '../../domain/kernel/canonical-json.ts';
import type { FieldError } from '../../domain/kernel/errors.ts';
import {
  examplePayload,
  topLevelFields,
  type TopLevelFields,
} from '../../domain/record-type/example-payload.ts';
import { appendPointer } from '../../domain/record-type/json-pointer.ts';
import { MAX_SCHEMA_ERRORS, schemaBoundBreaches } from '../../domain/record-type/schema-bounds.ts';
import { allSchemas, isSchemaObject } from '../../domain/record-type/schema-walk.ts';
import type { ValidationOutcome } from '../../domain/record-type/schema-validator.port.ts';
import { FORMATS } from './formats.ts';
import { linearRegExp, type Meter } from './linear-regexp.ts';

/**
 * JSON Schema 2020-12 on ajv in strict mode, in the thread that asks. What keeps it from holding up the
 * service is around it (guarded-schema-validator.ts).
 *
 * Each schema is compiled by an ajv of its own, so that two customers' `$id`s never meet and a compiled form
 * goes with its cache entry. The compiled form counts its steps (see `STEPS`), and `enum`, `uniqueItems`,
 * patterns and formats are replaced by linear ones.
 */
export class AjvSchemaValidator {
  private readonly cache = new BoundedCache<CompiledSchema>(MAX_CACHED_CHARACTERS);
  private readonly metaSchema = new Judge(true);

  check(schema: JsonObject): readonly FieldError[] {
    const breaches = schemaBoundBreaches(schema);
    if (breaches.length > 0) return breaches;
    const patterns = patternFaults(schema);
    if (patterns.length > 0) return patterns.slice(0, MAX_SCHEMA_ERRORS);
    const malformed = this.metaSchema.malformations(schema);
    if (malformed.length > 0) return malformed;
    try {
      new Judge().compile(schema);
      return [];
    } catch (error) {
      return [compileFault(error)];
    }
  }

  validate(key: string, schema: JsonObject, value: JsonValue): ValidationOutcome {
    return (
      this.validateWithin(MAX_STEPS, key, schema, value) ??
      this.outcome(this.compiled(key, schema), [TOO_COSTLY])
    );
  }

  /** Null where it takes more steps. */
  validateWithin(
    steps: number,
    key: string,
    schema: JsonObject,
    value: JsonValue,
  ): ValidationOutcome | null {
    const compiled = this.compiled(key, schema);
    const errors = compiled.errorsOf(value, steps);
    return errors && this.outcome(compiled, errors);
  }

  private compiled(key: string, schema: JsonObject): CompiledSchema {
    let compiled = this.cache.get(key);
    if (compiled === undefined) {
      compiled = new CompiledSchema(schema);
      this.cache.set(key, compiled, JSON.stringify(schema).length + 1_000);
    }
    return compiled;
  }

  private outcome(
    { schema, fields }: CompiledSchema,
    errors: readonly FieldError[],
  ): ValidationOutcome {
    return {
      valid: errors.length === 0,
      errors,
      ...fields,
      ...(errors.length === 0 ? {} : { example: examplePayload(schema) }),
    };
  }
}

/** What the schemas in the cache may have together, as JSON text. */
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

/**
 * What one validation may cost. A step is about 10 ns of one core; a keyword of a subschema that is evaluated
 * counts four, so that this bounds the number of errors, too, which ajv collects to the end.
 */
const MAX_STEPS = 4_000_000;
const STEPS_PER_KEYWORD = 4;
const STEPS_PER_MEMBER = 20;
/** Of the name of a member against a pattern of patternProperties. */
const STEPS_PER_TEST = 60;

class CompiledSchema {
  readonly fields: TopLevelFields;
  private readonly judge: (value: JsonValue, steps: number) => readonly FieldError[];

  constructor(readonly schema: JsonObject) {
    this.fields = topLevelFields(schema);
    try {
      this.judge = new Judge().compile(schema);
    } catch (cause) {
      throw new TypeError('the schema cannot be used', { cause });
    }
  }

  /** Null where it takes more steps. */
  errorsOf(value: JsonValue, steps: number): readonly FieldError[] | null {
    try {
      return this.judge(value, steps);
    } catch (error) {
      // A schema may recurse as deep as the instance: a stack that is used up is a cost like any other.
      if (error instanceof TooCostly || error instanceof RangeError) return null;
      throw error;
    }
  }
}

const TOO_COSTLY: FieldError = {
  path: '',
  keyword: 'cost',
  message:
    'it would take too many steps to validate this against the schema; send less, or simplify the schema',
};

class TooCostly extends Error {}

/** Put into every subschema before it is compiled: evaluating the subschema charges this many steps. */
const STEPS = '$steps';

/** One ajv with a meter. */
class Judge implements Meter {
  private readonly ajv: Ajv2020;
  private readonly charges = new Map<string, (value: JsonValue) => boolean>();
  private left = Number.POSITIVE_INFINITY;

  constructor(meta = false) {
    const regExp = Object.assign((pattern: string) => linearRegExp(pattern, this), {
      code: 'linearRegExp',
    });
    this.ajv = new Ajv2020({
      strict: true,
      // `required` in a branch of anyOf, a nullable type and an open tuple are sound and common.
      strictRequired: false,
      strictTuples: false,
      allowUnionTypes: true,
      // The check behind this option runs the customer's pattern on a backtracking engine.
      allowMatchingProperties: true,
      // Also what keeps the generated code flat: stopping at the first error nests it once a property.
      allErrors: true,
      // `toString` and its like are members only where the instance has them.
      ownProperties: true,
      meta,
      validateSchema: false,
      // Inlining multiplies the code of a schema that is referred to from many places.
      inlineRefs: false,
      logger: false,
      formats: FORMATS,
      // The optimiser's pass costs as much as the rest of the compilation and the runtime does it again.
      code: { regExp, optimize: false },
    });
    for (const keyword of ['enum', 'const', 'uniqueItems', '$async'])
      this.ajv.removeKeyword(keyword);
    // Followed by ajv, yet missing from its list of known keywords.
    this.ajv.addKeyword('$anchor');
    this.ajv.addKeyword({
      keyword: 'enum',
      schemaType: 'array',
      compile: (values: readonly JsonValue[]) => {
        const known = new Set(values.map(identity));
        const composite = values.some(isComposite);
        return (value: JsonValue) =>
          (!isComposite(value) || composite) && known.has(this.paidIdentity(value));
      },
      error: {
        message: (context) =>
          `must be one of ${describeValues(context.schema as readonly JsonValue[])}`,
      },
    });
    this.ajv.addKeyword({
      keyword: 'const',
      compile: (constant: JsonValue) => {
        const known = identity(constant);
        return (value: JsonValue) =>
          isComposite(value) === isComposite(constant) && this.paidIdentity(value) === known;
      },
      error: { message: 'must be equal to constant' },
    });
    this.ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      compile: (demanded: boolean) => (items: readonly JsonValue[]) =>
        !demanded || new Set(items.map((item) => this.paidIdentity(item))).size === items.length,
      error: { message: 'must not hold the same item twice' },
    });
    this.ajv.addKeyword({
      keyword: STEPS,
      before: '$ref',
      schemaType: 'array',
      errors: false,
      compile: ([steps, perCharacter, perMember]: [number, number, number]) =>
        this.chargeOf(steps, perCharacter, perMember),
    });
  }

  charge(steps: number): void {
    if ((this.left -= steps) < 0) throw new TooCostly();
  }

  /** @throws Error where ajv refuses the schema. */
  compile(schema: JsonObject): (value: JsonValue, steps: number) => readonly FieldError[] {
    const validate: ValidateFunction = this.ajv.compile(metered(schema));
    return (value, steps) => {
      this.left = steps;
      return validate(value) ? [] : fieldErrors(validate.errors);
    };
  }

  /** What the meta-schema has against the schema. */
  malformations(schema: JsonObject): readonly FieldError[] {
    return this.ajv.validateSchema({
      ...schema,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    }) === true
      ? []
      : fieldErrors(this.ajv.errors);
  }

  /** One function for one price: the code generator keeps a list of them that is slow to grow. */
  private chargeOf(
    steps: number,
    perCharacter: number,
    perMember: number,
  ): (value: JsonValue) => boolean {
    const key = `${steps}/${perCharacter}/${perMember}`;
    const known = this.charges.get(key);
    if (known) return known;
    const charge = (value: JsonValue): boolean => {
      this.charge(
        steps +
          (typeof value === 'string'
            ? value.length * perCharacter
            : perMember > 0 && isComposite(value)
              ? Object.keys(value as object).length * perMember
              : 0),
      );
      return true;
    };
    this.charges.set(key, charge);
    return charge;
  }

  private paidIdentity(value: JsonValue): string {
    const text = identity(value);
    this.charge(isComposite(value) ? 32 + text.length * 2 : 4 + text.length / 8);
    return text;
  }
}

/** A copy in which every subschema charges for its keywords, for each character where it measures a string, and for each member where it walks an object. */
const metered = (schema: JsonObject): JsonObject => {
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

const isComposite = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

/** Equal exactly for equal JSON values. */
const identity = (value: JsonValue): string =>
  typeof value === 'string'
    ? `"${value}`
    : isComposite(value)
      ? canonicalJson(value)
      : String(value);

const describeValues = (values: readonly JsonValue[]): string => {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  return values.length > shown.length
    ? `${shown.join(', ')} and ${values.length - shown.length} more`
    : shown.join(', ');
};

const patternFaults = (schema: JsonObject): FieldError[] =>
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

/** ajv says where only in words: `… at "#/properties/a" (strictTypes)`. */
const compileFault = (error: unknown): FieldError => {
  const text =
    error instanceof RangeError
      ? 'the schema is nested too deep'
      : error instanceof Error
        ? error.message
        : String(error);
  const place = /at "#?([^"]*)"/.exec(text.slice(0, 2_000))?.[1] ?? '';
  return {
    path: place.startsWith('/') ? decodeURI(place) : '',
    keyword: 'strict',
    message: text.slice(0, 500),
  };
};

const fieldErrors = (errors: ErrorObject[] | null | undefined): FieldError[] =>
  (errors ?? []).slice(0, MAX_SCHEMA_ERRORS).map(fieldError);

const fieldError = (error: ErrorObject): FieldError => {
  const { keyword, instancePath: path, params } = error;
  switch (keyword) {
    case 'required':
      return {
        path: appendPointer(path, params.missingProperty as string),
        keyword,
        message: 'is required',
      };
    case 'dependentRequired':
      return {
        path: appendPointer(path, params.missingProperty as string),
        keyword,
        message: `is required where ${JSON.stringify(params.property)} is present`,
      };
    case 'additionalProperties':
      return {
        path: appendPointer(path, params.additionalProperty as string),
        keyword,
        message: 'is not a member that is allowed here',
      };
    case 'unevaluatedProperties':
      return {
        path: appendPointer(path, params.unevaluatedProperty as string),
        keyword,
        message: 'is not a member that is allowed here',
      };
    case 'propertyNames':
      return {
        path: appendPointer(path, params.propertyName as string),
        keyword,
        message: 'is not a name that is allowed here',
      };
    default:
      return { path, keyword, message: error.message ?? 'is not valid' };
  }
};
