import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';

/**
 * Judges customer content by a customer's JSON Schema (draft 2020-12). Nothing is fetched and nothing is
 * remembered between two calls that could change an answer.
 */
export interface SchemaValidator {
  /**
   * Whether the schema can be used at all: well-formed, strict (no unknown keyword, no keyword without its
   * type), every pattern within a linear-time engine. Empty when it can. Paths point into the schema.
   * The static bounds (schema-bounds.ts) must have been checked before. Never throws.
   */
  check(schema: JsonObject): readonly FieldError[];

  /**
   * Validates an instance. `key` names the schema for the cache of compiled forms: one key always stands for
   * one schema, so it is made of the manifest's digest and the name of the schema in it.
   *
   * A value too costly to judge is invalid and its error says so (keyword `cost`); the bound counts steps,
   * never time, so the answer is the same on every machine.
   *
   * @throws TypeError where `check` would have refused the schema.
   */
  validate(key: string, schema: JsonObject, value: JsonValue): ValidationOutcome;
}

export interface ValidationOutcome {
  readonly valid: boolean;
  /** At most 100. The path is a JSON Pointer into the instance; a missing or superfluous member is itself pointed at. */
  readonly errors: readonly FieldError[];
  /** Members of the top level that the schema requires, and those that it only describes. */
  readonly requiredFields: readonly string[];
  readonly optionalFields: readonly string[];
}
