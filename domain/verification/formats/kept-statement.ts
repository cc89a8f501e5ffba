import { decodeBase64Strict } from '../../kernel/base64.ts';
import type { JsonObject } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { isUuid } from '../../kernel/ids.ts';
import { ALGORITHMS } from '../../vault/algorithm.ts';
import { chainKindOf } from '../../vault/chain-key.ts';
import { CANONICALIZATIONS } from '../../vault/statement.ts';
import { verifySignature } from '../../vault/signatures.ts';
import { checkEntry, type ChainRow, type HubClaim } from '../entry/chain-entry.ts';
import { isTimestamp } from '../../kernel/timestamp.ts';
import type { FailureClass } from '../report/failure.ts';
import { keyForUse, type KeyRing } from '../keys/key-ring.ts';
import {
  parseStatement,
  UnreadableError,
  type ParsedStatement,
} from '../../vault/parsed-statement.ts';
import type { CheckName, Findings } from '../report/report.ts';
import * as form from '../report/shape.ts';
import { tellSignature } from '../entry/signature-finding.ts';

/** One entry as an answer of the service carried it, bytes decoded. */
export interface KeptStatement {
  readonly chainKey: string;
  readonly canonicalization: string;
  readonly row: Omit<ChainRow, 'createdAt'> & { readonly hash: string };
}

interface KeptMembers {
  readonly chainKey: string;
  readonly position: number;
  readonly entryType: string;
  readonly hash: string;
  readonly previousHash: string;
  readonly signingKeyId: string;
  readonly algorithm: string;
  readonly canonicalization: string;
  readonly coseSign1: string;
}

const SHAPE: form.Shape = {
  chainKey: form.text,
  position: form.position,
  entryType: form.text,
  hash: form.hash,
  previousHash: form.hash,
  signingKeyId: form.keyId,
  algorithm: form.text,
  canonicalization: form.oneOfTexts('jcs', 'cde'),
  coseSign1: form.text,
};

/** Null where it cannot be read; the fault went into `findings`. */
export const readKeptStatement = (value: JsonObject, findings: Findings): KeptStatement | null => {
  findings.looked('document');
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      detail,
    );
  if (!form.fits(value, SHAPE, 'the signed statement', fault)) return null;
  const { chainKey, position, entryType, hash, previousHash, signingKeyId, algorithm, ...rest } =
    value as unknown as KeptMembers;
  const coseSign1 = decodeBase64Strict(rest.coseSign1);
  if (coseSign1)
    return {
      chainKey,
      canonicalization: rest.canonicalization,
      row: { position, entryType, hash, previousHash, signingKeyId, algorithm, coseSign1 },
    };
  fault('coseSign1 is not canonical base64');
  return null;
};

/** What a statement says of itself, once it was looked at. */
export interface CheckedStatement {
  readonly kid: string;
  readonly hubId: string | null;
  /** The sealed time; null where there is none. */
  readonly at: string | null;
  /** Null where there is none; of whatever form. */
  readonly predicate: JsonObject | null;
}

/**
 * Checks one entry on its own: its signature, its header, and that every member shown beside the bytes is what the
 * bytes say. Which chain it stands on, and what stands before it, does not show here.
 *
 * @param hub null where nothing but the statement itself says who the hub is
 */
export const checkKeptStatement = async (
  kept: KeptStatement,
  ring: KeyRing,
  hub: HubClaim | null,
  findings: Findings,
): Promise<CheckedStatement | null> => {
  const { row, chainKey } = kept;
  const place = { chainKey, position: row.position };
  const fail = (check: CheckName, failureClass: FailureClass, detail: string): void =>
    findings.fail(check, 'chain', failureClass, place, detail);
  findings.looked('hashes');
  if (row.hash !== sha256Hex(row.coseSign1))
    fail('hashes', 'CHAIN_HASH_MISMATCH', 'the hash shown is not the SHA-256 of the bytes');
  const signed = read(row.coseSign1, (detail) =>
    fail('headerBinding', 'CHAIN_COSE_DECODE_FAILED', detail),
  );
  if (!signed) return null;
  const { header } = signed;
  const sealedAt = signed.statement?.predicate['at'];
  const at = isTimestamp(sealedAt) ? sealedAt : null;
  if (signed.statement && at === null)
    fail(
      'payloadBinding',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      'the sealed time is no ISO 8601 time with milliseconds',
    );
  if (header.contentType !== contentTypeOf(kept.canonicalization))
    fail(
      'headerBinding',
      'CHAIN_COSE_HEADER_MISMATCH',
      `the statement is shown as ${kept.canonicalization}, its header names ${header.contentType}`,
    );
  if (row.position === 1 && row.previousHash !== GENESIS)
    fail('genesis', 'CHAIN_GENESIS_INVALID', 'the first entry names an entry before it');
  const own = hub ?? hubOf(signed);
  if (!own)
    fail(
      'headerBinding',
      'CHAIN_COSE_HEADER_MISMATCH',
      'issuer and predicate type are not those of a hub',
    );
  const predicate = checkEntry(
    { ...row, createdAt: at ?? '' },
    signed,
    { chainKey, chainKind: chainKindOf(chainKey), area: 'chain', hub: own },
    findings,
  );
  await checkSignature(kept, signed, at, ring, findings);
  return { kid: header.kid, hubId: own?.hubId ?? null, at, predicate };
};

const GENESIS = '0'.repeat(64);

const read = (bytes: Uint8Array, fail: (detail: string) => void): ParsedStatement | null => {
  try {
    return parseStatement(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    fail(error.message);
    return null;
  }
};

const contentTypeOf = (canonicalization: string): string =>
  CANONICALIZATIONS[canonicalization === 'cde' ? 'cde' : 'jcs'].contentType;

const ISSUER = 'urn:service:';
const PREDICATE_TYPE = /^(.+)\/predicates\/[a-z-]+\/v1$/;

/** Who the statement itself says the hub is. */
export const hubOf = ({ header, statement }: ParsedStatement): HubClaim | null => {
  const hubId = header.iss.startsWith(ISSUER) ? header.iss.slice(ISSUER.length) : '';
  const predicateBase = PREDICATE_TYPE.exec(statement?.predicateType ?? '')?.[1];
  return isUuid(hubId) && predicateBase !== undefined ? { hubId, predicateBase } : null;
};

const checkSignature = async (
  { chainKey, row }: KeptStatement,
  { header, signature, signed }: ParsedStatement,
  at: string | null,
  ring: KeyRing,
  findings: Findings,
): Promise<void> => {
  const place = { chainKey, position: row.position };
  findings.looked('signatures');
  const known = ring.get(header.kid);
  if (!known)
    return findings.cannotTell(
      'keySuccession',
      `cannot tell: signed with the key ${header.kid}, which is none of those that are trusted here`,
    );
  const key = keyForUse(
    ring,
    header,
    // Whether something covers what a retired key signed is for the caller to say, who knows the chain.
    {
      place,
      area: 'chain',
      at: known.retiredAt !== null && at !== null && at <= known.retiredAt ? null : at,
      missing: 'CHAIN_SIGNATURE_MISSING_KEY',
    },
    findings,
  );
  if (!key) return;
  if (row.algorithm !== ALGORITHMS[key.key.algorithm].name)
    findings.fail(
      'signatures',
      'chain',
      'CHAIN_ALG_MISMATCH',
      place,
      `the statement is shown as signed with another algorithm than ${key.key.algorithm}, that of its key`,
    );
  const result = await verifySignature(key, signature, signed);
  tellSignature(result, key, 'CHAIN_SIGNATURE_INVALID', (failureClass, detail) =>
    findings.fail('signatures', 'chain', failureClass, place, detail),
  );
};
