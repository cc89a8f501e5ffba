import { isObject, type JsonObject, type JsonValue } from '../../../kernel/canonical-json.ts';
import type { ChainKey } from '../../../vault/chain-key.ts';
import { secondsOf } from './platform-registry.ts';

/** A version of a record type with its digest, as one name. */
export type TypeName = string;

/** A record that begins with a type. Plain data, as below. */
export interface TypeUse {
  readonly type: TypeName;
  readonly orgId: string;
  readonly chainKey: ChainKey;
  /** Seconds since 1970. */
  readonly at: number;
  /** The first leaf of the log that covers the entry; null without one. */
  readonly coveredBy: number | null;
}

/** An entry of a schema chain. */
export interface TypeAct {
  readonly entryType: string;
  readonly type: TypeName;
  /** The same without the digest. */
  readonly version: TypeName;
  /** What the act makes of it; empty for a deletion. */
  readonly status: string;
  readonly chainKey: ChainKey;
  readonly position: number;
}

/** Collects the acts on record types in a part of the file, and of each type the uses that are judged first. */
export class TypeUses {
  private uses = new Map<TypeName, FirstUses>();
  private acts: TypeAct[] = [];

  /** The first entry of a record's chain. A mirror begins with a type of its home, which is not registered here. */
  record(chainKey: ChainKey, predicate: JsonObject, coveredBy: number | null): void {
    const { schema, terms, at } = predicate;
    if (!isObject(schema) || !isObject(terms)) return;
    const { federation } = terms;
    if (isObject(federation) && federation['role'] === 'mirror') return;
    const type = nameOf(schema);
    const use = { type, orgId: textOf(schema['orgId']), chainKey, at: secondsOf(at), coveredBy };
    this.uses.set(type, withUse(this.uses.get(type), use));
  }

  schema(chainKey: ChainKey, position: number, predicate: JsonObject): void {
    const entryType = textOf(predicate['entryType']);
    const status = entryType === 'SCHEMA_DELETED' ? '' : textOf(predicate['status']);
    const version = versionOf(predicate);
    this.acts.push({ entryType, type: nameOf(predicate), version, status, chainKey, position });
  }

  take(): TypesOfPart {
    const { uses, acts } = this;
    this.uses = new Map();
    this.acts = [];
    return { uses: [...uses.values()], acts };
  }
}

/** Of one type, the use that was sealed first and the one that the log covered first. They may be the same. */
export interface FirstUses {
  readonly sealed: TypeUse;
  readonly covered: TypeUse;
}

export interface TypesOfPart {
  readonly uses: readonly FirstUses[];
  readonly acts: readonly TypeAct[];
}

export const withUse = (known: FirstUses | undefined, use: TypeUse): FirstUses => {
  if (!known) return { sealed: use, covered: use };
  const { sealed, covered } = known;
  return {
    sealed: use.at < sealed.at ? use : sealed,
    covered: (use.coveredBy ?? Infinity) < (covered.coveredBy ?? Infinity) ? use : covered,
  };
};

const nameOf = ({ orgId, publisher, type, version, manifestDigest }: JsonObject): TypeName =>
  JSON.stringify([orgId, publisher, type, version, manifestDigest].map((part) => part ?? null));

const versionOf = ({ orgId, publisher, type, version }: JsonObject): TypeName =>
  JSON.stringify([orgId, publisher, type, version].map((part) => part ?? null));

/** Never `String(value)`: a hostile object may have a member `toString`. */
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
