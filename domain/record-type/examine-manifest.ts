import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { GateEvaluator } from './gate-evaluator.port.ts';
import type { Manifest } from './manifest.ts';
import { schemaBoundBreaches } from './schema-bounds.ts';
import type { SchemaValidator } from './schema-validator.port.ts';

/** Which schema of a manifest: the two names under which content is judged. */
export type SchemaName = 'criteria' | 'completion';

/** The key of a manifest's schema in the validator's cache. Content-addressed: it never has to be invalidated. */
export const schemaKey = (manifestDigest: string, name: SchemaName): string => `${manifestDigest}/${name}`;

/**
 * Everything that registration asks of the customer's own content: both schemas within bounds and usable,
 * every gate compiles, the examples fit. Paths are JSON Pointers into the manifest. Empty: accepted.
 */
export const examineManifest = (manifest: Manifest, digest: string, validator: SchemaValidator, gates: GateEvaluator): readonly FieldError[] => {
  const schemaFaults = [
    ...under('/criteriaSchema', examineSchema(manifest.criteriaSchema, validator)),
    ...under('/completionSchema', examineSchema(manifest.completionSchema, validator)),
  ];
  const gateFaults = under('/gates', gates.check(manifest.gates));
  if (schemaFaults.length > 0) return [...schemaFaults, ...gateFaults];
  return [
    ...gateFaults,
    ...under('/exampleCriteria', exampleFaults(schemaKey(digest, 'criteria'), manifest.criteriaSchema, manifest.exampleCriteria, validator)),
    ...under('/exampleEvidence', exampleFaults(schemaKey(digest, 'completion'), manifest.completionSchema, manifest.exampleEvidence, validator)),
  ];
};

const examineSchema = (schema: JsonObject, validator: SchemaValidator): readonly FieldError[] => {
  const breaches = schemaBoundBreaches(schema);
  return breaches.length > 0 ? breaches : validator.check(schema);
};

const exampleFaults = (key: string, schema: JsonObject, example: JsonValue, validator: SchemaValidator): readonly FieldError[] =>
  example === null ? [] : validator.validate(key, schema, example).errors;

const under = (prefix: string, errors: readonly FieldError[]): FieldError[] => errors.map((error) => ({ ...error, path: `${prefix}${error.path}` }));
