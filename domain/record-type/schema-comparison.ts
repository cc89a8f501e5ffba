import type { JsonObject } from '../kernel/canonical-json.ts';
import type { FieldError } from '../kernel/errors.ts';
import type { Schema } from './schema-walk.ts';

/** What the rules of one keyword ask of the comparison of two whole schemas that they are part of. */
export interface SchemaComparison {
  compare(wide: Schema, narrow: Located): readonly FieldError[];
  holds(wide: Schema, narrow: Schema): boolean;
  /** `narrow`, whose `keyword` is a reference, against `wide`. */
  reference(wide: JsonObject, narrow: JsonObject, keyword: string, at: string): FieldError[];
  isReverseIncluded(forbiddenBefore: Schema, forbiddenNow: Schema): boolean;
}

export interface Located {
  readonly schema: Schema;
  /** JSON Pointer of the schema. */
  readonly at: string;
}
