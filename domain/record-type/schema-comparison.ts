import type { JsonObject } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { Schema } from './schema-walk.ts';

/** What the rule for one keyword needs from the comparison of the two whole schemas. */
export interface SchemaComparison {
  compare(wide: Schema, narrow: Located): readonly FieldError[];
  holds(wide: Schema, narrow: Schema): boolean;
  /** Compares `wide` with the target of the reference in `narrow[keyword]`. */
  reference(wide: JsonObject, narrow: JsonObject, keyword: string, at: string): FieldError[];
  isReverseIncluded(forbiddenBefore: Schema, forbiddenNow: Schema): boolean;
}

export interface Located {
  readonly schema: Schema;
  /** JSON Pointer of the schema. */
  readonly at: string;
}
