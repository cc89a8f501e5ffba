import type { JsonObject } from '../../kernel/canonical-json.ts';
import { compileClosedSchema, type SchemaCheck } from '../../kernel/closed-schema.ts';
import { PREDICATE_SCHEMAS } from '../../record/predicate-schemas.ts';
import type { PredicateKind } from '../../vault/statement.ts';

const CHECKS: ReadonlyMap<PredicateKind, SchemaCheck> = new Map(
  PREDICATE_SCHEMAS.map(({ kind, schema }) => [kind, compileClosedSchema(schema)]),
);

/** How a predicate departs from the published schema of its kind, in words; null where it fits. */
export const predicateFault = (kind: PredicateKind, predicate: JsonObject): string | null => {
  const fault = CHECKS.get(kind)!(predicate);
  return (
    fault &&
    `the predicate is not one of the published schema ${kind}: ${fault.pointer === '' ? 'it' : fault.pointer} ${fault.message}`
  );
};
