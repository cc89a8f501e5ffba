import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Manifest } from './manifest.ts';

/**
 * Expensive work runs beside the process, for many orgs at once. No org waits for another one's
 * work, but for a task or two that are under way, and no validation waits for a registration.
 */
export interface SchemaValidators {
  /** @param orgId the org of the caller, whose share of the work it is. */
  of(orgId: Uuid): SchemaValidator;
}

/**
 * Checks customers' schemas, and validates their content against them (JSON Schema draft 2020-12).
 * Nothing is fetched, and no state from earlier calls changes an answer.
 *
 * No schema and no content blocks the process. Each method throws RATE_LIMITED where too much work
 * of the org is waiting, and SERVICE_UNAVAILABLE where too much of all orgs is, or where one task
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
   * Validates an instance. Numbers are the decimals that RFC 8785 writes for them, in the schema and
   * in the instance, so 19.99 is a multiple of 0.01. `key` names the schema for the cache of compiled
   * forms: one key always stands for one schema, so it is made of the manifest's digest and the name
   * of the schema in it.
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
   * Present if the instance is not valid and a valid one was found (example-payload.ts): a small
   * instance that shows the shape.
   */
  readonly example?: JsonValue;
}
