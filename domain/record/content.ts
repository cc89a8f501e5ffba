import type { JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';

/**
 * Stands in the place of criteria that were not read, because whoever holds the record only carries it along: its
 * entries bind their hash. Nobody can show it, hand it to a gate or store it by mistake: it cannot be made JSON.
 */
export const NOT_READ: JsonObject = Object.freeze(
  Object.create(Object.prototype, {
    toJSON: {
      value: (): never => {
        throw new Error('criteria that were not read cannot be shown');
      },
    },
  }),
) as JsonObject;

/** The content itself. @throws Error where it was not read. */
export const contentOf = (content: JsonObject): JsonObject => {
  if (content === NOT_READ) throw new Error('criteria that were not read cannot be judged');
  return content;
};

/** As `hashJson`, but computed once for each object: what a record holds is never changed in place. */
export const contentHash = (content: JsonObject): string => {
  const known = HASHES.get(content);
  if (known !== undefined) return known;
  const hash = hashJson(content);
  HASHES.set(content, hash);
  return hash;
};

const HASHES = new WeakMap<JsonObject, string>();
