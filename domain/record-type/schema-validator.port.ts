import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { Manifest } from './manifest.ts';

/**
 * Checks customers' schemas, and validates their content against them (JSON Schema draft 2020-12).
 * Nothing is fetched, and no state from earlier calls changes an answer.
 *
 * No schema and no content blocks the process: expensive work runs beside it, in the order of
 * arrival. Each method throws SERVICE_UNAVAILABLE where too much work is waiting, or where one task
 * takes longer than a few seconds.
 */
export interface SchemaValidator {
  /**
   * Checks that the schema can be used: it is within the static bounds (schema-bounds.ts),
   * well-formed and strict (no unknown keyword, no keyword without its type), and every pattern
   * compiles on a linear-time engine. An empty list means that it can be used. Paths point into the
   * schema.
   */
  check(schema: JsonObject): Promise<readonly FieldError[]>;

  /**
   * Validates an instance. `key` names the schema for the cache of compiled forms: one key always stands for
   * one schema, so it is made of the manifest's digest and the name of the schema in it.
   *
   * A value too costly to judge is invalid and its error says so (keyword `cost`); the bound counts steps,
   * never time, so the answer is the same on every machine.
   *
   * @throws TypeError where `check` would have refused the schema.
   */
  validate(key: string, schema: JsonObject, value: JsonValue): Promise<ValidationOutcome>;

  /** Why `next` breaks the compatibility it promises against `previous` (compatibility.ts). */
  compare(previous: Manifest, next: Manifest): Promise<readonly FieldError[]>;
}

export interface ValidationOutcome {
  readonly valid: boolean;
  /**
   * At most 100 errors. The path is a JSON Pointer into the instance; for a missing or superfluous
   * member it points at the member itself.
   */
  readonly errors: readonly FieldError[];
  /** Members of the top level that the schema requires, and those that it only describes. */
  readonly requiredFields: readonly string[];
  readonly optionalFields: readonly string[];
  /**
   * Present where the instance is not valid: an instance that shows the shape (example-payload.ts).
   */
  readonly example?: JsonValue;
}
