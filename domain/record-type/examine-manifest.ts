import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { GateEvaluator } from './gate-evaluator.port.ts';
import { manifestDigest, type Manifest } from './manifest.ts';
import { objectFault } from './schema-emptiness.ts';
import type { SchemaValidator } from './schema-validator.port.ts';

/** Names one of the two schemas of a manifest. */
export type SchemaName = 'criteria' | 'completion';

/** The key of a manifest's schema in the validator's cache. Content-addressed: it never has to be invalidated. */
export const schemaKey = (manifestDigest: string, name: SchemaName): string =>
  `${manifestDigest}/${name}`;

/**
 * Checks the customer's own content at registration: both schemas are usable and within bounds,
 * criteria are not ruled out, every gate compiles, and the examples fit. Paths are JSON Pointers into the manifest. An empty
 * list means that the manifest is accepted.
 */
export const examineManifest = async (
  manifest: Manifest,
  validator: SchemaValidator,
  gates: GateEvaluator,
): Promise<readonly FieldError[]> => {
  const criteriaFaults = await validator.check(manifest.criteriaSchema);
  // Only a schema within the bounds can be reasoned about.
  const impossible = criteriaFaults.length > 0 ? null : objectFault(manifest.criteriaSchema);
  const schemaFaults = [
    ...under('/criteriaSchema', impossible === null ? criteriaFaults : [impossible]),
    ...under('/completionSchema', await validator.check(manifest.completionSchema)),
  ];
  await gates.prepare(manifest.gates);
  const gateFaults = under('/gates', gates.check(manifest.gates));
  if (schemaFaults.length > 0) return [...schemaFaults, ...gateFaults];
  return [
    ...gateFaults,
    ...under(
      '/exampleCriteria',
      await exampleFaults(
        manifest,
        'criteria',
        manifest.criteriaSchema,
        manifest.exampleCriteria,
        validator,
      ),
    ),
    ...under(
      '/exampleEvidence',
      await exampleFaults(
        manifest,
        'completion',
        manifest.completionSchema,
        manifest.exampleEvidence,
        validator,
      ),
    ),
  ];
};

const exampleFaults = async (
  manifest: Manifest,
  name: SchemaName,
  schema: JsonObject,
  example: JsonValue,
  validator: SchemaValidator,
): Promise<readonly FieldError[]> =>
  example === null
    ? []
    : (await validator.validate(schemaKey(manifestDigest(manifest), name), schema, example)).errors;

const under = (prefix: string, errors: readonly FieldError[]): FieldError[] =>
  errors.map((error) => ({ ...error, path: `${prefix}${error.path}` }));
