import type { JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { hexOf, sha256 } from '../digest.ts';
import type { Redact } from './redaction.ts';

/** A value as JSON, and how much of it was redacted. */
export interface Represented {
  readonly json: JsonValue;
  readonly redacted: number;
}

/**
 * A value as the JSON that is hashed and sealed, as it is at this moment. Bytes are told by their number and SHA-256,
 * errors by name, message and code. A value that JSON would make `{}` of, though it is more, has none.
 *
 * @throws NotJson where the value, as far as it is not redacted, has no such form
 */
export const represent = async (
  value: unknown,
  path: string,
  redact: Redact,
): Promise<Represented> => {
  const walk = new Walk(redact);
  // At once, for whoever holds the value may change it later; only digests are waited for.
  const json = walk.of(value, [path]);
  await Promise.all(walk.digests);
  return { json, redacted: walk.redacted };
};

/** A value cannot be told as JSON. The message is for whoever holds the value, for a path holds names of members. */
export class NotJson extends TypeError {
  override readonly name = 'NotJson';

  /** @param what is wrong with it, which names nothing of the value */
  constructor(
    path: string,
    readonly what: string,
  ) {
    super(`${path} ${what}`);
  }
}

const MAX_DEPTH = 64;
/** A record holds fewer. What refers to the same things again and again has more than anybody could write. */
const MAX_VALUES = 2_000_000;

class Walk {
  redacted = 0;
  private values = 0;
  private made = 0;
  readonly digests: Promise<void>[] = [];

  constructor(private readonly redact: Redact) {}

  of(given: unknown, steps: readonly string[]): JsonValue {
    const path = steps.join('.');
    const value = this.redact(given, path, steps);
    if (!Object.is(value, given)) this.redacted++;
    if (++this.values > MAX_VALUES)
      throw new NotJson(path, `is among more than ${MAX_VALUES} values`);
    // A cycle as well.
    if (steps.length > MAX_DEPTH + 1) throw new NotJson(path, `is nested deeper than ${MAX_DEPTH}`);
    switch (typeof value) {
      case 'string':
        // RFC 8785 section 3.2.2.2: it has no canonical form.
        if (!value.isWellFormed()) throw new NotJson(path, 'holds a lone surrogate');
        return value;
      case 'boolean':
        return value;
      case 'undefined':
        return null;
      case 'bigint':
        return String(value);
      case 'number':
        if (!Number.isFinite(value)) throw new NotJson(path, `is ${value}, which is not JSON`);
        return value;
      case 'object':
        return value === null ? null : this.ofObject(value, steps);
      default:
        throw new NotJson(path, `is a ${typeof value}, which is not JSON: redact it`);
    }
  }

  private ofObject(value: object, steps: readonly string[]): JsonValue {
    const path = steps.join('.');
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return this.ofBytes(value);
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return this.ofMade((value.toJSON as () => unknown)(), steps);
    if (Array.isArray(value)) return this.ofArray(value as readonly unknown[], steps);
    if (value instanceof Error) {
      const { name, message, code } = value as Error & { readonly code?: unknown };
      return this.ofMembers({ name, message, code }, steps);
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    const isPlain = prototype === null || prototype === Object.prototype;
    if (!isPlain && Object.keys(value).length === 0)
      throw new NotJson(
        path,
        `is a ${value.constructor?.name ?? 'thing'}, which JSON says nothing of: redact it, or pass what is in it`,
      );
    return this.ofMembers(value, steps);
  }

  /** What toJSON makes may have one as well, without end. */
  private ofMade(value: unknown, steps: readonly string[]): JsonValue {
    if (++this.made > MAX_DEPTH)
      throw new NotJson(steps.join('.'), 'makes another of itself again and again');
    try {
      return this.of(value, steps);
    } finally {
      this.made--;
    }
  }

  private ofArray(items: readonly unknown[], steps: readonly string[]): JsonValue {
    // Looked at before it is walked: an empty array may say that it is as long as it likes.
    if (items.length > MAX_VALUES)
      throw new NotJson(steps.join('.'), `has more than ${MAX_VALUES} items`);
    // Array.from finds the holes of a sparse array as well, which JSON writes as null.
    return Array.from(items, (item, at) => this.of(item, [...steps, String(at)]));
  }

  private ofMembers(value: object, steps: readonly string[]): JsonValue {
    const members: [string, JsonValue][] = [];
    for (const [name, member] of Object.entries(value) as [string, unknown][])
      if (!name.isWellFormed())
        throw new NotJson(steps.join('.'), 'has a name with a lone surrogate');
      else if (member !== undefined) members.push([name, this.of(member, [...steps, name])]);
    // Unlike an assignment this makes a member of __proto__.
    return Object.fromEntries(members);
  }

  private ofBytes(value: ArrayBuffer | ArrayBufferView): JsonValue {
    const bytes = ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : new Uint8Array(value);
    const told = { bytes: bytes.length, sha256: '' };
    this.digests.push(sha256(bytes).then((digest) => void (told.sha256 = hexOf(digest))));
    return told;
  }
}
