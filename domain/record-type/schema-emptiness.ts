import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import {
  bound,
  type Conjunction,
  conjunctionOf,
  type InstanceType,
  listed,
  listedValues,
  type Located,
  memberSchemas,
  part,
  typeOfValue,
} from './schema-conjunction.ts';
import { crossed, emptyRange, type Proof, proveName, requiredOf } from './schema-contradictions.ts';
import { fault } from './schema-fault.ts';
import { isTrivial } from './schema-sameness.ts';
import { isSchemaObject, LocalReferences, type Schema } from './schema-walk.ts';

/**
 * A proof that no object satisfies the schema, in words, or null where there is none. It is sound
 * and not complete: a schema that some object satisfies is never refused, one that nothing satisfies
 * may be missed, above all where patterns, formats or `not` decide. The schema has passed
 * schema-bounds.ts.
 */
export const objectFault = (schema: JsonObject): FieldError | null => {
  const proof = new Emptiness(new LocalReferences(schema)).prove(
    [{ schema, pointer: '' }],
    ['object'],
  );
  return proof === null
    ? null
    : fault(proof.pointer, 'unsatisfiable', `no object can satisfy this schema: ${proof.reason}`);
};

const ALL: readonly InstanceType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

/** Schemas looked at, in one proof. */
const MAX_STEPS = 5_000;

/** Proofs within one another. */
const MAX_DEPTH = 200;

class Emptiness {
  private steps = MAX_STEPS;
  /**
   * What is being proved. An instance is finite, so a proof may rest on itself for what lies inside
   * of the instance: the smallest instance would hold a smaller one.
   */
  private readonly open: {
    readonly schemas: ReadonlySet<Schema>;
    readonly types: readonly InstanceType[];
    readonly level: number;
  }[] = [];
  /** How far inside of the instance. */
  private level = 0;

  constructor(private readonly references: LocalReferences) {}

  /** A proof that no instance of these types satisfies all of the schemas. */
  prove(schemas: readonly Located[], types: readonly InstanceType[] = ALL): Proof | null {
    const all = conjunctionOf(schemas, this.references);
    this.steps -= all.length;
    if (this.steps < 0 || this.open.length > MAX_DEPTH) return null;
    const refusing = all.find(({ schema }) => schema === false);
    if (refusing) return { reason: 'false accepts nothing', pointer: refusing.pointer };
    const typed = typesLeft(all, types);
    if ('reason' in typed) return typed;
    const set = new Set(all.map(({ schema }) => schema));
    const inner = this.open.some(
      (outer) =>
        outer.level < this.level &&
        typed.every((type) => outer.types.includes(type)) &&
        [...outer.schemas].every((schema) => set.has(schema)),
    );
    if (inner) return { reason: 'that would never end', pointer: schemas[0]?.pointer ?? '' };
    this.open.push({ schemas: set, types: typed, level: this.level });
    try {
      return this.proveOpen(all, typed);
    } finally {
      this.open.pop();
    }
  }

  private proveOpen(all: Conjunction, typed: readonly InstanceType[]): Proof | null {
    const values = listedValues(all);
    let left: readonly InstanceType[] = typed;
    if (values !== null) {
      this.steps -= values.values.length;
      left = typed.filter((type) => values.values.some((value) => isOfType(value, type)));
      if (left.length === 0)
        return {
          reason:
            values.values.length === 0
              ? 'the lists of values have none in common'
              : `none of the values it lists is ${inWords(typed)}`,
          pointer: values.pointer,
        };
    }
    let proof: Proof | null = null;
    for (const type of left) {
      proof = this.proveType(all, type);
      if (proof === null) break;
    }
    return proof ?? this.proveAlternatives(all, left);
  }

  private proveType(all: Conjunction, type: InstanceType): Proof | null {
    switch (type) {
      case 'integer':
      case 'number':
        return emptyRange(all, type);
      case 'string':
        return crossed(all, 'minLength', 'maxLength');
      case 'array':
        return crossed(all, 'minItems', 'maxItems') ?? this.proveItems(all);
      case 'object':
        return crossed(all, 'minProperties', 'maxProperties') ?? this.proveMembers(all);
      default:
        return null;
    }
  }

  private provePart(schemas: readonly Located[]): Proof | null {
    if (schemas.length === 0) return null;
    this.level++;
    try {
      return this.prove(schemas);
    } finally {
      this.level--;
    }
  }

  private proveItems(all: Conjunction): Proof | null {
    const least = bound(all, 'minItems', Math.max)?.value ?? 0;
    if (least === 0) return null;
    const first = all.flatMap((schema) => {
      const prefix = isSchemaObject(schema.schema)
        ? listed({ schema: schema.schema, pointer: schema.pointer }, 'prefixItems')
        : [];
      return prefix.length > 0 ? prefix.slice(0, 1) : part(schema, 'items');
    });
    const proof = this.provePart(first);
    return proof && { ...proof, reason: `it needs an element, and ${proof.reason}` };
  }

  private proveMembers(all: Conjunction): Proof | null {
    const required = requiredOf(all);
    const most = bound(all, 'maxProperties', Math.min);
    if (most !== null && required.size > most.value)
      return {
        reason: `it requires ${required.size} members and allows ${most.value}`,
        pointer: most.pointer,
      };
    for (const [name, pointer] of required) {
      const schemas = memberSchemas(all, name);
      const proof = proveName(all, name) ?? this.provePart(schemas);
      if (proof !== null)
        return {
          reason: `it requires the member ${JSON.stringify(name)}, and ${proof.reason}`,
          pointer: proof.pointer || pointer,
        };
      for (const { schema } of all) {
        const forbidden = isSchemaObject(schema) ? schema.not : undefined;
        if (isSchemaObject(forbidden) && onlyRequires(forbidden, required))
          return {
            reason: `it requires ${JSON.stringify(name)}, which "not" forbids`,
            pointer,
          };
      }
    }
    return null;
  }

  /** Every alternative of an `anyOf` or a `oneOf` contradicts the rest. */
  private proveAlternatives(all: Conjunction, types: readonly InstanceType[]): Proof | null {
    for (const { schema, pointer } of all) {
      if (!isSchemaObject(schema)) continue;
      if (schema.not !== undefined && isTrivial(schema.not as Schema))
        return { reason: '"not" excludes everything', pointer: appendPointer(pointer, 'not') };
      for (const keyword of ['anyOf', 'oneOf']) {
        const branches = listed({ schema, pointer }, keyword);
        if (branches.length === 0) continue;
        const others = all.filter((each) => each.schema !== schema);
        const rest = Object.fromEntries(
          Object.entries(schema).filter(([name]) => name !== keyword && name !== 'allOf'),
        );
        let proof: Proof | null = null;
        for (const branch of branches) {
          proof = this.prove([...others, { schema: rest, pointer }, branch], types);
          if (proof === null) break;
        }
        if (proof !== null)
          return {
            reason: `no alternative of ${keyword} can hold; of the last one, ${proof.reason}`,
            pointer: appendPointer(pointer, keyword),
          };
      }
    }
    return null;
  }
}

const typesLeft = (
  all: Conjunction,
  types: readonly InstanceType[],
): readonly InstanceType[] | Proof => {
  let left = types;
  for (const { schema, pointer } of all) {
    if (!isSchemaObject(schema)) continue;
    const accepted = schema.type === undefined ? null : [schema.type].flat();
    const excluded = isSchemaObject(schema.not) ? typesAlone(schema.not) : [];
    const next = left.filter(
      (type) =>
        (accepted === null ||
          accepted.includes(type) ||
          (type === 'integer' && accepted.includes('number'))) &&
        !excluded.includes(type) &&
        !(type === 'integer' && excluded.includes('number')),
    );
    if (next.length === 0)
      return {
        reason:
          accepted === null
            ? `"not" excludes ${inWords(left)}`
            : `it takes ${inWords(accepted as InstanceType[])}, not ${inWords(left)}`,
        pointer: appendPointer(pointer, accepted === null ? 'not' : 'type'),
      };
    left = next;
  }
  return left;
};

/** The types, where the schema says nothing but them. */
const typesAlone = (schema: JsonObject): readonly JsonValue[] =>
  Object.keys(schema).length === 1 && schema.type !== undefined ? [schema.type].flat() : [];

const onlyRequires = (schema: JsonObject, required: ReadonlyMap<string, string>): boolean =>
  Object.keys(schema).every((keyword) => keyword === 'required' || keyword === 'type') &&
  (schema.type === undefined || schema.type === 'object') &&
  Array.isArray(schema.required) &&
  schema.required.length > 0 &&
  (schema.required as readonly string[]).every((name) => required.has(name));

const isOfType = (value: JsonValue, type: InstanceType): boolean => typeOfValue(value) === type;

const inWords = (types: readonly InstanceType[]): string =>
  types.length === ALL.length
    ? 'anything'
    : types
        .map((type) => (/^[aio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`))
        .join(' or ');
