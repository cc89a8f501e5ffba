import type { JsonObject } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { LocalReferences } from './schema-walk.ts';
import { isSchemaObject, type SubSchema, subSchemas } from './schema-walk.ts';
import { fault } from './schema-fault.ts';
import { MAX_REF_EXPANSIONS } from './schema-limits.ts';

/**
 * Follows every reference and limits three things: how many expansions there are in all (a
 * reference back into itself counts once), how long a chain of references grows, and whether a
 * reference comes back to its start without descending into the instance, which would never end.
 */
export const graphBreaches = (root: JsonObject, references: LocalReferences): FieldError[] => {
  const expansions = new Map<string, number>();
  const open = new Set<string>();
  const count = (sub: SubSchema, chain: number): number => {
    if (!isSchemaObject(sub.schema) || open.has(sub.pointer)) return 0;
    const known = expansions.get(sub.pointer);
    if (known !== undefined) return known;
    if (chain > MAX_REF_CHAIN) throw new ChainTooLong(sub.pointer);
    open.add(sub.pointer);
    let sum = 0;
    for (const target of references.targetsOf(sub.schema)) sum += 1 + count(target, chain + 1);
    for (const child of subSchemas(sub.schema, sub.pointer))
      if (child.reach !== 'detached') sum += count(child, chain);
    open.delete(sub.pointer);
    const capped = Math.min(sum, MAX_REF_EXPANSIONS + 1);
    expansions.set(sub.pointer, capped);
    return capped;
  };
  try {
    if (count({ pointer: '', schema: root, reach: 'in-place' }, 0) > MAX_REF_EXPANSIONS)
      return [
        fault(
          '',
          '$ref',
          `the references of the schema expand more than ${MAX_REF_EXPANSIONS} times`,
        ),
      ];
  } catch (error) {
    if (error instanceof ChainTooLong)
      return [
        fault(
          error.message,
          '$ref',
          `references follow one another more than ${MAX_REF_CHAIN} times`,
        ),
      ];
    throw error;
  }
  const endless = endlessReference(references);
  return endless === undefined
    ? []
    : [
        fault(
          endless,
          '$ref',
          'the reference comes back to itself without descending into the instance, so that validation would never end',
        ),
      ];
};

const MAX_REF_CHAIN = 500;

class ChainTooLong extends Error {}

/** Depth-first search for a cycle of in-place steps; iterative, since a schema may hold thousands of them in a row. */
const endlessReference = (references: LocalReferences): string | undefined => {
  const done = new Set<string>();
  for (const start of references.all()) {
    if (done.has(start.pointer)) continue;
    const path = new Set<string>();
    const stack: { sub: SubSchema; next: SubSchema[] }[] = [];
    const enter = (sub: SubSchema): void => {
      path.add(sub.pointer);
      const next = isSchemaObject(sub.schema)
        ? [
            ...references.targetsOf(sub.schema),
            ...subSchemas(sub.schema, sub.pointer).filter((child) => child.reach === 'in-place'),
          ]
        : [];
      stack.push({ sub, next });
    };
    enter(start);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const next = top.next.pop();
      if (next === undefined) {
        stack.pop();
        path.delete(top.sub.pointer);
        done.add(top.sub.pointer);
      } else if (path.has(next.pointer)) return top.sub.pointer;
      else if (!done.has(next.pointer)) enter(next);
    }
  }
  return undefined;
};
