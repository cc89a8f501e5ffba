import { canonicalJsonBytes, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { encodeCbor, type CborValue } from '../kernel/deterministic-cbor.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { EntryType, PlatformEntryType, SchemaEntryType } from './entry-type.ts';

/** in-toto Statement v1 (in-toto/attestation, spec v1). */
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

export type PredicateKind =
  | 'record-state'
  | 'settlement-signal'
  | 'vault-checkpoint'
  | 'schema-event'
  | 'tenant-read'
  | 'counter-attestation'
  | 'federation-projection';

export const predicateTypeOf = (base: string, kind: PredicateKind): string =>
  `${base}/predicates/${kind}/v1`;

export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly [
    { readonly name: string; readonly digest: { readonly sha256: string } },
  ];
  readonly predicateType: string;
  readonly predicate: JsonObject;
}

/** Who did it, as the chain says it. */
export interface ActorClaim {
  readonly kind: 'agent' | 'admin' | 'platform' | 'system' | 'peer';
  /** The org that the actor belongs to, where it belongs to one. */
  readonly orgId?: Uuid;
  readonly agentId?: Uuid;
  readonly apiKeyId?: Uuid;
  readonly certId?: Uuid;
  readonly oidc?: { readonly iss: string; readonly sub: string };
  readonly peerHubId?: Uuid;
}

/** What every predicate on a chain carries. `at` is ISO 8601 UTC with milliseconds. */
export interface PredicateBase<Type extends EntryType> {
  readonly entryType: Type;
  readonly at: string;
  readonly requestId: string;
  readonly actor: ActorClaim;
}

export interface PlatformPredicate extends PredicateBase<PlatformEntryType> {
  readonly orgId?: Uuid;
  readonly [member: string]: JsonValue | ActorClaim | undefined;
}

export interface SchemaEventPredicate extends PredicateBase<SchemaEntryType> {
  readonly orgId: Uuid;
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
  readonly manifestDigest: string;
  readonly status?: 'active' | 'disabled';
}

/** `position` and `headHash` name the newest entry of `chainKey` that the checkpoint covers. */
export interface CheckpointPredicate {
  readonly chainKind: 'record' | 'schema' | 'admin' | 'org-reads';
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly logIndex?: number;
  readonly treeSize?: number;
  readonly treeRoot?: string;
  readonly at: string;
}

/** A read of an org's data by an administrator or an operator: a leaf of the org's log of reads, on no chain. */
export interface TenantReadPredicate {
  readonly entryType: 'ORG_READ';
  readonly at: string;
  readonly requestId: string;
  readonly actor: ActorClaim;
  readonly orgId: Uuid;
  readonly leafIndex: number;
  readonly previousHash: string;
  readonly operation: string;
  readonly target?: string;
  readonly inputDigest: string;
  readonly protocol: Protocol;
}

/** The front-end that brought a call. */
export type Protocol = 'rest' | 'a2a' | 'grpc' | 'mcp' | 'cli';

export const statement = (
  base: string,
  kind: PredicateKind,
  name: string,
  sha256: string,
  predicate: object,
): Statement => ({
  _type: STATEMENT_TYPE,
  subject: [{ name, digest: { sha256 } }],
  predicateType: predicateTypeOf(base, kind),
  predicate: withoutUndefined(predicate),
});

export const platformStatement = (base: string, predicate: PlatformPredicate): Statement => {
  const clean = withoutUndefined(predicate);
  return statement(base, 'record-state', PLATFORM_SUBJECT, hashJson(clean), clean);
};
export const PLATFORM_SUBJECT = 'platform/ops';

export const schemaStatement = (base: string, predicate: SchemaEventPredicate): Statement =>
  statement(
    base,
    'schema-event',
    `schema/${predicate.publisher}/${predicate.type}/${predicate.version}`,
    predicate.manifestDigest,
    predicate,
  );

export const checkpointStatement = (base: string, predicate: CheckpointPredicate): Statement =>
  statement(base, 'vault-checkpoint', `chain/${predicate.chainKey}`, predicate.headHash, predicate);

export const tenantReadStatement = (base: string, predicate: TenantReadPredicate): Statement => {
  const clean = withoutUndefined(predicate);
  return statement(base, 'tenant-read', `org/${predicate.orgId}`, hashJson(clean), clean);
};

/** The two payload forms; both carry the same value, the content type says which one it is. */
export const CANONICALIZATIONS = {
  jcs: {
    name: 'jcs',
    standard: 'RFC 8785',
    contentType: 'application/vnd.in-toto+json',
    encode: (value: Statement) => canonicalJsonBytes(value as unknown as JsonValue),
  },
  cde: {
    name: 'cde',
    standard: 'RFC 8949 section 4.2.1',
    contentType: 'application/vnd.in-toto+cbor',
    encode: (value: Statement) => encodeCbor(value as unknown as CborValue),
  },
} as const;

export type Canonicalization = keyof typeof CANONICALIZATIONS;

/** A statement is small: whoever verifies it must be able to hold it. */
export const MAX_STATEMENT_BYTES = 64 * 1024;

export const withoutUndefined = (value: object): JsonObject => {
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value) as [string, JsonValue | undefined][]) {
    if (member !== undefined)
      members.push([name, isPlain(member) ? withoutUndefined(member) : member]);
  }
  return Object.fromEntries(members);
};

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
