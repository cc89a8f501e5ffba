import { decodeBase64Strict } from '../../kernel/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import type { KnownRetirement, TrustInput } from './trust.ts';

/** A document that is no listing of keys, and why. */
export class KeyListingError extends Error {
  override readonly name = 'KeyListingError';
}

/**
 * The keys of a `GET /v1/verification-keys` answer that somebody trusts: `data[].publicKey`, base64 SPKI. Those that it
 * shows as retired, by `status` or by a KEY_RETIRED among `keyStatements`, are not trusted. Whoever gives it as trust vouches for all
 * of it, so no signature in it is checked.
 *
 * @throws KeyListingError
 */
export const readKeyListing = (document: JsonValue): Extract<TrustInput, { kind: 'keys' }> => {
  const entries = listIn(document, 'data');
  if (entries.length === 0) throw new KeyListingError('it has no keys in "data"');
  const statements = new Map(
    listIn(document, 'keyStatements').flatMap((row) =>
      isObject(row) && row['statement'] === 'retired' ? [[row['keyId'], row] as const] : [],
    ),
  );
  const [spki, retired]: [Uint8Array[], Uint8Array[]] = [[], []];
  const retirements: KnownRetirement[] = [];
  for (const entry of entries) {
    const encoded = isObject(entry) ? entry['publicKey'] : undefined;
    const key = typeof encoded === 'string' ? decodeBase64Strict(encoded) : null;
    if (!isObject(entry) || !key) throw new KeyListingError('a key has no "publicKey" in base64');
    const { keyId, status } = entry;
    const statement = statements.get(keyId);
    const isRetired = status === 'retired' || statement !== undefined;
    (isRetired ? retired : spki).push(key);
    if (isRetired && typeof keyId === 'string')
      retirements.push({ keyId, ...retirementIn(statement) });
  }
  return { kind: 'keys', spki, retired, retirements };
};

const listIn = (document: JsonValue, name: string): readonly JsonValue[] => {
  const value = isObject(document) ? document[name] : undefined;
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
};

const retirementIn = (row: JsonObject | undefined): Omit<KnownRetirement, 'keyId'> => {
  const bytes =
    typeof row?.['coseSign1'] === 'string' ? decodeBase64Strict(row['coseSign1']) : null;
  const { reason, at } = (bytes && predicateIn(bytes)) ?? {};
  return {
    reason: reason === 'scheduled' || reason === 'compromised' ? reason : null,
    at: isTimestamp(at) ? at : null,
  };
};

const predicateIn = (bytes: Uint8Array): JsonObject | null => {
  try {
    return parseStatement(bytes).statement?.predicate ?? null;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};
