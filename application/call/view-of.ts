import type { Static, TSchema } from 'typebox';

/** What a view of this schema is: the same in every front-end, and changed by nobody. */
export type ViewOf<V extends TSchema> = DeepReadonly<Static<V>>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends AsyncIterable<infer Item>
    ? AsyncIterable<DeepReadonly<Item>>
    : T extends object
      ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
      : T;
