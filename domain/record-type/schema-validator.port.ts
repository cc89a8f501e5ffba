import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { Manifest } from './manifest.ts';

/**
 * Judges customer schemas, and customer content by them (JSON Schema draft 2020-12). Nothing is fetched and
 * nothing is remembered between two calls that could change an answer.
 *
 * No schema and no content holds up the process: what is costly is done beside it, after what was asked for
 * before. Each method throws SERVICE_UNAVAILABLE where too much of that is waiting, or a content is not
 * judged within seconds.
 */
export interface SchemaValidator {
  /**
   * Whether the schema can be used at all: within the static bounds (schema-bounds.ts), well-formed, strict
   * (no unknown keyword, no keyword without its type), every pattern within a linear-time engine. Empty when
   * it can. Paths point into the schema.
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
  /** At most 100. The path is a JSON Pointer into the instance; a missing or superfluous member is itself pointed at. */
  readonly errors: readonly FieldError[];
  /** Members of the top level that the schema requires, and those that it only describes. */
  readonly requiredFields: readonly string[];
  readonly optionalFields: readonly string[];
  /** Where the instance is not valid: one that shows the shape (example-payload.ts). */
  readonly example?: JsonValue;
}
