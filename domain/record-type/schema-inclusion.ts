import type { JsonObject } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import { appendPointer } from './json-pointer.ts';
import { keywordBreaches } from './keyword-inclusion.ts';
import type { Located, SchemaComparison } from './schema-comparison.ts';
import { fault } from './schema-fault.ts';
import { KEYWORD_TYPES, typesOf, unproved } from './schema-keyword-rules.ts';
import { isSame, isTrivial, mentionsReference } from './schema-sameness.ts';
import { ANNOTATIONS, isSchemaObject, LocalReferences, type Schema } from './schema-walk.ts';

/**
 * Every place where `narrow` is not proved to accept all that `wide` accepts, as JSON Pointers
 * below `base` into `narrow`. An empty list is a proof: each instance that is valid under `wide` is
 * valid under `narrow`.
 *
 * A schema is a conjunction of its keywords, so each keyword of `narrow` must follow from `wide`
 * alone. References are followed. Where a pair of schemas comes up again while it is being
 * compared, it is assumed to hold; this is sound, because every such cycle descends into the
 * instance (schema-reference-graph.ts refuses the others).
 */
export const narrowings = (
  wide: JsonObject,
  narrow: JsonObject,
  base: string,
  budget: InclusionBudget = fullBudget(),
): readonly FieldError[] => included(wide, narrow, base, budget);

/**
 * The work that is left, because comparing all alternatives with all others is quadratic. Below
 * zero, the schemas count as too large to be compared.
 */
export interface InclusionBudget {
  /** Pairs of schemas that may still be compared. */
  pairs: number;
  /** Keywords of `narrow` that may still be compared with a part of `wide`. */
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

class Inclusion implements SchemaComparison {
  private readonly wideReferences: LocalReferences;
  private readonly narrowReferences: LocalReferences;
  private readonly known = new Map<Schema, Map<Schema, readonly FieldError[]>>();
  /**
   * Pairs that were found to hold, in order, so that those which rested on a wrong assumption can
   * be dropped.
   */
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
    if (isSame(wideObject, narrow.schema)) return [];
    const results = this.known.get(wideObject) ?? new Map<Schema, readonly FieldError[]>();
    this.known.set(wideObject, results);
    const known = results.get(narrow.schema);
    if (known !== undefined) return known;
    if (--this.budget.pairs < 0 || this.budget.steps < 0) return [this.tooLarge()];
    const narrowObject = narrow.schema;
    const proofsBefore = this.proofs.length;
    results.set(narrowObject, []);
    const errors = this.conjuncts(wideObject, narrowObject, narrow.at);
    results.set(narrowObject, errors);
    if (errors.length === 0) this.proofs.push(() => results.delete(narrowObject));
    else for (const forget of this.proofs.splice(proofsBefore)) forget();
    return errors;
  }

  private tooLarge(): FieldError {
    return fault(this.base, 'compatibility', 'the schemas are too large to be compared');
  }

  holds(wide: Schema, narrow: Schema): boolean {
    return this.compare(wide, { schema: narrow, at: this.base }).length === 0;
  }

  /** Every keyword of `narrow`, against all that `wide` says. */
  private conjuncts(wide: JsonObject, narrow: JsonObject, at: string): FieldError[] {
    // `wide` may be spread over references and allOf: it is enough that one part of it implies the
    // keyword.
    const parts = this.partsOf(wide);
    return Object.keys(narrow).flatMap((keyword) => {
      if (ANNOTATIONS.has(keyword)) return [];
      const place = appendPointer(at, keyword);
      let fewest: FieldError[] | undefined;
      if ((this.budget.steps -= parts.length) < 0) return [this.tooLarge()];
      for (const part of parts) {
        const errors = this.isVacuous(keyword, part)
          ? []
          : keywordBreaches(this, keyword, part, narrow, place);
        if (errors.length === 0) return [];
        // The part with the same keyword gives the most useful findings.
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

  /** A keyword for one JSON type has no effect where no instance of that type can occur. */
  private isVacuous(keyword: string, wide: JsonObject): boolean {
    const types = KEYWORD_TYPES.get(keyword);
    const possible = typesOf(wide);
    return (
      types !== undefined && possible !== null && !possible.some((type) => types.includes(type))
    );
  }

  reference(wide: JsonObject, narrow: JsonObject, keyword: string, at: string): FieldError[] {
    const target =
      typeof narrow[keyword] === 'string'
        ? this.narrowReferences.resolve(narrow[keyword])
        : undefined;
    return target === undefined
      ? [unproved(at, keyword)]
      : [...this.compare(wide, { schema: target.schema, at: `${this.base}${target.pointer}` })];
  }

  /**
   * For `not`: whatever the new schema forbids, the old one must have forbidden too. Schemas with
   * references are left out, since this comparison swaps the two sides.
   */
  isReverseIncluded(forbiddenBefore: Schema, forbiddenNow: Schema): boolean {
    if (isSame(forbiddenBefore, forbiddenNow)) return true;
    if (mentionsReference(forbiddenBefore) || mentionsReference(forbiddenNow)) return false;
    if (!isSchemaObject(forbiddenBefore) || !isSchemaObject(forbiddenNow))
      return forbiddenBefore === true || forbiddenNow === false;
    return included(forbiddenNow, forbiddenBefore, '', this.budget).length === 0;
  }
}

const EVERYTHING: JsonObject = {};
