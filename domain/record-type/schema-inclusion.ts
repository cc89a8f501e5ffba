import { canonicalJson, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import {
  dependentRequiredBreaches,
  fault,
  KEYWORD_TYPES,
  LIMITS,
  requiredBreaches,
  typeBreaches,
  typesOf,
  unproved,
  valueBreaches,
} from './schema-keyword-rules.ts';
import {
  ANNOTATIONS,
  isSchema,
  isSchemaObject,
  LocalReferences,
  type Schema,
} from './schema-walk.ts';

/**
 * Every place where `narrow` is not proved to accept all that `wide` accepts, as JSON Pointers below `base`
 * into `narrow`. Empty means proved: each instance that is valid under `wide` is valid under `narrow`.
 *
 * A schema is a conjunction of its keywords, so each keyword of `narrow` must follow from `wide` alone.
 * References are followed; a pair of schemas that is met again while it is being compared is assumed to hold,
 * which is sound because every such cycle descends into the instance (schema-bounds.ts refuses the others).
 */
export const narrowings = (
  wide: JsonObject,
  narrow: JsonObject,
  base: string,
  budget: InclusionBudget = fullBudget(),
): readonly FieldError[] => included(wide, narrow, base, budget);

/** Comparing all alternatives with all others is a product. What is left; below zero, and nothing is claimed. */
export interface InclusionBudget {
  /** Of schemas that are compared. */
  pairs: number;
  /** Of keywords of the one, each against a part of the other. */
  steps: number;
}

export const fullBudget = (): InclusionBudget => ({ pairs: 20_000, steps: 1_000_000 });

const included = (
  wide: JsonObject,
  narrow: JsonObject,
  base: string,
  budget: InclusionBudget,
): readonly FieldError[] =>
  new Inclusion(wide, narrow, base, budget).compare(wide, { schema: narrow, at: base });

interface Located {
  readonly schema: Schema;
  /** JSON Pointer of the schema. */
  readonly at: string;
}

class Inclusion {
  private readonly wideReferences: LocalReferences;
  private readonly narrowReferences: LocalReferences;
  private readonly known = new Map<Schema, Map<Schema, readonly FieldError[]>>();
  /** Pairs found to hold, in order, so that those which rested on a wrong assumption can be forgotten. */
  private readonly proofs: (() => void)[] = [];
  private readonly parts = new Map<JsonObject, JsonObject[]>();
  private readonly base: string;
  private readonly budget: InclusionBudget;

  constructor(wide: JsonObject, narrow: JsonObject, base: string, budget: InclusionBudget) {
    this.base = base;
    this.budget = budget;
    this.wideReferences = new LocalReferences(wide);
    this.narrowReferences = new LocalReferences(narrow);
  }

  compare(wide: Schema, narrow: Located): readonly FieldError[] {
    if (wide === false || isTrivial(narrow.schema)) return [];
    if (!isSchemaObject(narrow.schema))
      return [fault(narrow.at, 'false', 'nothing is accepted here any more')];
    const wideObject = wide === true ? EVERYTHING : wide;
    if (this.isSame(wideObject, narrow.schema)) return [];
    const row = this.known.get(wideObject) ?? new Map<Schema, readonly FieldError[]>();
    this.known.set(wideObject, row);
    const known = row.get(narrow.schema);
    if (known !== undefined) return known;
    if (--this.budget.pairs < 0 || this.budget.steps < 0) return [this.tooLarge()];
    const narrowObject = narrow.schema;
    const proofsBefore = this.proofs.length;
    row.set(narrowObject, []);
    const errors = this.conjuncts(wideObject, narrowObject, narrow.at);
    row.set(narrowObject, errors);
    if (errors.length === 0) this.proofs.push(() => row.delete(narrowObject));
    else for (const forget of this.proofs.splice(proofsBefore)) forget();
    return errors;
  }

  private tooLarge(): FieldError {
    return fault(this.base, 'compatibility', 'the schemas are too large to be compared');
  }

  private holds(wide: Schema, narrow: Schema): boolean {
    return this.compare(wide, { schema: narrow, at: this.base }).length === 0;
  }

  /** Every keyword of `narrow`, against all that `wide` says. */
  private conjuncts(wide: JsonObject, narrow: JsonObject, at: string): FieldError[] {
    // `wide` may say what it says through references and allOf: any part of it that implies `narrow` will do.
    const parts = this.partsOf(wide);
    return Object.keys(narrow).flatMap((keyword) => {
      if (ANNOTATIONS.has(keyword)) return [];
      const place = appendPointer(at, keyword);
      let fewest: FieldError[] | undefined;
      if ((this.budget.steps -= parts.length) < 0) return [this.tooLarge()];
      for (const part of parts) {
        const errors = this.isVacuous(keyword, part)
          ? []
          : this.keyword(keyword, part, narrow, place);
        if (errors.length === 0) return [];
        // The part that speaks of the same keyword gives the most telling findings.
        if (fewest === undefined || (part[keyword] !== undefined && errors.length > 0))
          fewest = errors;
      }
      return fewest ?? [];
    });
  }

  private partsOf(wide: JsonObject): JsonObject[] {
    const before = this.parts.get(wide);
    if (before !== undefined) return before;
    const parts: JsonObject[] = [wide];
    const found = new Set(parts);
    for (let i = 0; i < parts.length && parts.length < 64; i++) {
      const part = parts[i]!;
      const more: unknown[] = this.wideReferences.targetsOf(part).map((target) => target.schema);
      if (Array.isArray(part.allOf)) more.push(...part.allOf);
      for (const other of more) {
        if (!isSchemaObject(other) || found.has(other)) continue;
        found.add(other);
        parts.push(other);
      }
    }
    this.parts.set(wide, parts);
    return parts;
  }

  /** A keyword for one JSON type says nothing where no instance of that type can occur. */
  private isVacuous(keyword: string, wide: JsonObject): boolean {
    const types = KEYWORD_TYPES.get(keyword);
    const possible = typesOf(wide);
    return (
      types !== undefined && possible !== null && !possible.some((type) => types.includes(type))
    );
  }

  private keyword(keyword: string, wide: JsonObject, narrow: JsonObject, at: string): FieldError[] {
    const value = narrow[keyword];
    const comparison = LIMITS.get(keyword);
    if (comparison)
      return comparison(wide, value)
        ? []
        : [fault(at, keyword, `${keyword} ${JSON.stringify(value)} is narrower than before`)];
    switch (keyword) {
      case '$ref':
      case '$dynamicRef':
        return this.reference(wide, narrow, keyword, at);
      case 'type':
        return typeBreaches(wide, value, at);
      case 'enum':
      case 'const':
        return valueBreaches(
          wide,
          keyword === 'const' ? [value as JsonValue] : (value as readonly JsonValue[]),
          keyword,
          at,
        );
      case 'required':
        return requiredBreaches(wide, value, at);
      case 'dependentRequired':
        return dependentRequiredBreaches(wide, value, at);
      case 'properties':
        return this.properties(wide, value, at);
      case 'patternProperties':
        return this.patternProperties(wide, value, at);
      case 'additionalProperties':
        return this.additionalProperties(wide, narrow, at);
      case 'prefixItems':
        return (value as readonly Schema[]).flatMap((item, i) =>
          this.compare(itemAt(wide, i), { schema: item, at: appendPointer(at, i) }),
        );
      case 'items':
        return this.items(wide, narrow, at);
      case 'propertyNames':
        return isSchema(wide.propertyNames) && this.holds(wide.propertyNames, value as Schema)
          ? []
          : [unproved(at, keyword)];
      case 'contains':
      case 'minContains':
      case 'maxContains':
        return ['contains', 'minContains', 'maxContains'].every((name) =>
          this.isSame(wide[name], narrow[name]),
        )
          ? []
          : [unproved(at, keyword)];
      case 'allOf':
        return (value as readonly Schema[]).flatMap((part, i) =>
          this.compare(wide, { schema: part, at: appendPointer(at, i) }),
        );
      case 'anyOf':
        return this.anyOf(wide, value as readonly Schema[]) ? [] : [unproved(at, keyword)];
      case 'oneOf':
        return this.areEquivalentLists(wide.oneOf, value) ? [] : [unproved(at, keyword)];
      case 'not':
        return isSchema(wide.not) && this.isReverseIncluded(wide.not, value as Schema)
          ? []
          : [unproved(at, keyword)];
      case 'if':
      case 'then':
      case 'else':
        return ['if', 'then', 'else'].every((name) => this.isSame(wide[name], narrow[name]))
          ? []
          : [unproved(at, keyword)];
      default:
        // pattern, format, uniqueItems, dependentSchemas, unevaluated…: equal, or nothing is claimed.
        return this.isEqualKeyword(keyword, wide, narrow) ? [] : [unproved(at, keyword)];
    }
  }

  private reference(
    wide: JsonObject,
    narrow: JsonObject,
    keyword: string,
    at: string,
  ): FieldError[] {
    const target =
      typeof narrow[keyword] === 'string'
        ? this.narrowReferences.resolve(narrow[keyword])
        : undefined;
    return target === undefined
      ? [unproved(at, keyword)]
      : [...this.compare(wide, { schema: target.schema, at: `${this.base}${target.pointer}` })];
  }

  private properties(wide: JsonObject, value: JsonValue | undefined, at: string): FieldError[] {
    return Object.entries((value ?? {}) as { [name: string]: Schema }).flatMap(([name, schema]) => {
      const place = { schema, at: appendPointer(at, name) };
      const before = memberOf(wide, 'properties', name);
      if (before !== undefined) return this.compare(before, place);
      if (isTrivial(schema)) return [];
      if (hasMembers(wide.patternProperties))
        return [
          fault(
            place.at,
            'properties',
            `the new member ${JSON.stringify(name)} may have matched a pattern before; this cannot be proved compatible`,
          ),
        ];
      if (wide.additionalProperties === undefined || isTrivial(wide.additionalProperties as Schema))
        return [
          fault(
            place.at,
            'properties',
            `the member ${JSON.stringify(name)} could hold anything before, because other members were allowed; describe it as true, or forbid other members first`,
          ),
        ];
      return this.compare(wide.additionalProperties as Schema, place);
    });
  }

  private patternProperties(
    wide: JsonObject,
    value: JsonValue | undefined,
    at: string,
  ): FieldError[] {
    return Object.entries((value ?? {}) as { [pattern: string]: Schema }).flatMap(
      ([pattern, schema]) => {
        const before = memberOf(wide, 'patternProperties', pattern);
        if (before !== undefined)
          return this.compare(before, { schema, at: appendPointer(at, pattern) });
        return isTrivial(schema) ? [] : [unproved(appendPointer(at, pattern), 'patternProperties')];
      },
    );
  }

  /** Members that `wide` knows by name or by pattern, and those it does not, where `narrow` leaves them to additionalProperties. */
  private additionalProperties(wide: JsonObject, narrow: JsonObject, at: string): FieldError[] {
    const rest = narrow.additionalProperties as Schema;
    const errors: FieldError[] = [];
    for (const [name, schema] of Object.entries(
      (wide.properties ?? {}) as { [name: string]: Schema },
    )) {
      if (memberOf(narrow, 'properties', name) !== undefined || this.holds(schema, rest)) continue;
      const removed = appendPointer(
        appendPointer(at.slice(0, at.lastIndexOf('/')), 'properties'),
        name,
      );
      errors.push(
        fault(
          removed,
          'additionalProperties',
          `the member ${JSON.stringify(name)} was described before and is not accepted as it was any more`,
        ),
      );
    }
    for (const [pattern, schema] of Object.entries(
      (wide.patternProperties ?? {}) as { [pattern: string]: Schema },
    ))
      if (memberOf(narrow, 'patternProperties', pattern) === undefined && !this.holds(schema, rest))
        errors.push(
          fault(
            at,
            'additionalProperties',
            `members that match ${JSON.stringify(pattern)} were described before and are not accepted as they were any more`,
          ),
        );
    const before =
      wide.additionalProperties === undefined ? true : (wide.additionalProperties as Schema);
    if (rest === false)
      return before === false
        ? errors
        : [
            ...errors,
            fault(
              at,
              'additionalProperties',
              'other members were allowed before and are forbidden now',
            ),
          ];
    return [...errors, ...this.compare(before, { schema: rest, at })];
  }

  private items(wide: JsonObject, narrow: JsonObject, at: string): FieldError[] {
    const rest = { schema: narrow.items as Schema, at };
    const known = Array.isArray(narrow.prefixItems) ? narrow.prefixItems.length : 0;
    const before = Array.isArray(wide.prefixItems) ? wide.prefixItems.slice(known) : [];
    return [
      ...before.flatMap((item: Schema) => this.compare(item, rest)),
      ...this.compare(wide.items === undefined ? true : (wide.items as Schema), rest),
    ];
  }

  /** Each alternative of `wide`, or `wide` as a whole, fits one alternative of `narrow`. */
  private anyOf(wide: JsonObject, alternatives: readonly Schema[]): boolean {
    const fits = (schema: Schema): boolean =>
      alternatives.some((alternative) => this.holds(schema, alternative));
    return (
      [wide.anyOf, wide.oneOf].some(
        (choice) => Array.isArray(choice) && choice.every((schema: Schema) => fits(schema)),
      ) || fits(wide)
    );
  }

  private areEquivalentLists(wide: JsonValue | undefined, narrow: JsonValue | undefined): boolean {
    return (
      Array.isArray(wide) &&
      Array.isArray(narrow) &&
      wide.length === narrow.length &&
      wide.every((schema: Schema, i) => this.isSame(schema, narrow[i] as Schema))
    );
  }

  /** For `not`: what the new one forbids, the old one forbade. Without references only, since their sides are swapped. */
  private isReverseIncluded(forbiddenBefore: Schema, forbiddenNow: Schema): boolean {
    if (this.isSame(forbiddenBefore, forbiddenNow)) return true;
    if (mentionsReference(forbiddenBefore) || mentionsReference(forbiddenNow)) return false;
    if (!isSchemaObject(forbiddenBefore) || !isSchemaObject(forbiddenNow))
      return forbiddenBefore === true || forbiddenNow === false;
    return included(forbiddenNow, forbiddenBefore, '', this.budget).length === 0;
  }

  private isEqualKeyword(keyword: string, wide: JsonObject, narrow: JsonObject): boolean {
    // What counts as unevaluated depends on every neighbour, so nothing less than equal schemas will do.
    if (keyword.startsWith('unevaluated')) return false;
    if (keyword === 'uniqueItems' && narrow.uniqueItems === false) return true;
    const [before, now] = [wide[keyword], narrow[keyword]];
    return (
      before !== undefined &&
      now !== undefined &&
      !mentionsReference(before) &&
      !mentionsReference(now) &&
      canonicalJson(before) === canonicalJson(now)
    );
  }

  /** Equal schemas (or numbers) but for annotations. A reference means whatever it leads to, so its text proves nothing. */
  private isSame(wide: JsonValue | undefined, narrow: JsonValue | undefined): boolean {
    if (wide === undefined || narrow === undefined) return wide === narrow;
    return (
      !mentionsReference(wide) && !mentionsReference(narrow) && essence(wide) === essence(narrow)
    );
  }
}

const EVERYTHING: JsonObject = {};

/** Accepts whatever there is. */
const isTrivial = (schema: Schema): boolean =>
  schema === true ||
  (isSchemaObject(schema) && Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword)));

const mentions = new WeakMap<object, boolean>();
const mentionsReference = (value: JsonValue): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const known = mentions.get(value);
  if (known !== undefined) return known;
  const found =
    (isSchemaObject(value) && (value.$ref !== undefined || value.$dynamicRef !== undefined)) ||
    Object.values(value).some((item: JsonValue) => mentionsReference(item));
  mentions.set(value, found);
  return found;
};

const essences = new WeakMap<object, string>();
const essence = (value: JsonValue): string => {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const known = essences.get(value);
  if (known !== undefined) return known;
  const text = canonicalJson(
    isSchemaObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([keyword]) => !DECORATIONS.has(keyword)))
      : value,
  );
  essences.set(value, text);
  return text;
};
/** Only at the top of what is compared, where they cannot be the names of members or the values of an enum. */
const DECORATIONS: ReadonlySet<string> = new Set([
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

const memberOf = (
  schema: JsonObject,
  keyword: 'properties' | 'patternProperties',
  name: string,
): Schema | undefined => {
  const map = schema[keyword];
  return isSchemaObject(map) && Object.hasOwn(map, name) ? (map[name] as Schema) : undefined;
};

const hasMembers = (value: JsonValue | undefined): boolean =>
  isSchemaObject(value) && Object.keys(value).length > 0;

const itemAt = (schema: JsonObject, index: number): Schema => {
  const prefix = Array.isArray(schema.prefixItems) ? (schema.prefixItems as readonly Schema[]) : [];
  return prefix[index] ?? (schema.items as Schema | undefined) ?? true;
};
