import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { FieldError } from '../../domain/kernel/errors.ts';
import {
  examplePayload,
  type TopLevelFields,
  topLevelFields,
} from '../../domain/record-type/example-payload.ts';
import { schemaBoundBreaches } from '../../domain/record-type/schema-bounds.ts';
import { MAX_SCHEMA_ERRORS } from '../../domain/record-type/schema-limits.ts';
import type { ValidationOutcome } from '../../domain/record-type/schema-validator.port.ts';
import { MeteredAjv, TooCostly } from './metered-ajv.ts';
import { patternFaults } from './pattern-faults.ts';
import { compileFault } from './field-errors.ts';

/**
 * Validates JSON Schema 2020-12 with ajv in strict mode, on the calling thread. The validator
 * around it (guarded-schema-validator.ts) keeps expensive work off that thread.
 *
 * Each schema is compiled by its own ajv instance, so the `$id`s of two customers never collide,
 * and evicting a cache entry frees all of it. The compiled form counts its steps (see `STEPS`), and
 * `enum`, `uniqueItems`, patterns and formats are replaced by linear-time versions.
 */
export class AjvSchemaValidator {
  private readonly cache = new BoundedCache<CompiledSchema>(MAX_CACHED_CHARACTERS);
  private readonly metaSchema = new MeteredAjv(true);

  check(schema: JsonObject): readonly FieldError[] {
    const breaches = schemaBoundBreaches(schema);
    if (breaches.length > 0) return breaches;
    const patterns = patternFaults(schema);
    if (patterns.length > 0) return patterns.slice(0, MAX_SCHEMA_ERRORS);
    const malformed = this.metaSchema.malformations(schema);
    if (malformed.length > 0) return malformed;
    try {
      new MeteredAjv().compile(schema);
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

  private outcome(compiled: CompiledSchema, errors: readonly FieldError[]): ValidationOutcome {
    return {
      valid: errors.length === 0,
      errors,
      ...compiled.fields,
      ...(errors.length === 0 ? {} : compiled.example),
    };
  }
}

/** The total size of the cached schemas, as JSON text. */
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

/**
 * The cost limit of one validation. A step is about 10 ns of one core. Each evaluated keyword of a
 * subschema costs four steps, so the limit also bounds the number of errors, all of which ajv
 * collects.
 */
const MAX_STEPS = 4_000_000;
/** An example is small, and is validated on the calling thread. */
const MAX_EXAMPLE_STEPS = 100_000;

class CompiledSchema {
  readonly fields: TopLevelFields;
  private readonly run: (value: JsonValue, steps: number) => readonly FieldError[];
  private checkedExample: { readonly example?: JsonValue } | undefined;

  constructor(private readonly schema: JsonObject) {
    this.fields = topLevelFields(schema);
    try {
      this.run = new MeteredAjv().compile(schema);
    } catch (cause) {
      throw new TypeError('the schema cannot be used', { cause });
    }
  }

  /** Without the member if the example that was made does not satisfy the schema. */
  get example(): { readonly example?: JsonValue } {
    if (this.checkedExample === undefined) {
      const example = examplePayload(this.schema);
      const isValid = this.errorsOf(example, MAX_EXAMPLE_STEPS)?.length === 0;
      this.checkedExample = isValid ? { example } : {};
    }
    return this.checkedExample;
  }

  /** Null where it takes more steps. */
  errorsOf(value: JsonValue, steps: number): readonly FieldError[] | null {
    try {
      return this.run(value, steps);
    } catch (error) {
      // A schema may recurse as deep as the instance, so an exhausted stack is treated as too
      // costly.
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
