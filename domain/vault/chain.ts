import { NotaryError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { ALGORITHMS } from './algorithm.ts';
import type { ChainKey } from './chain-key.ts';
import {
  encodeProtected,
  encodeSign1,
  sigStructure,
  typOf,
  type ChainClaim,
  type StructureType,
} from './cose-sign1.ts';
import type { EntryType } from './entry-type.ts';
import type { Signer } from './signer.port.ts';
import {
  CANONICALIZATIONS,
  MAX_STATEMENT_BYTES,
  type Canonicalization,
  type Statement,
} from './statement.ts';

/** The newest entry of a chain, as far as the next one needs it. `at` in ISO 8601 with milliseconds. */
export interface ChainHead {
  readonly chainKey: ChainKey;
  readonly position: number;
  readonly hash: Uint8Array;
  readonly at: string;
}

export interface ChainEntry {
  readonly chainKey: ChainKey;
  /** From 1, without a gap. */
  readonly position: number;
  readonly entryType: EntryType;
  readonly recordId: Uuid | null;
  readonly orgId: Uuid | null;
  readonly signingKeyId: string;
  /** The stored hash of the entry before; 32 zero bytes at position 1. */
  readonly previousHash: Uint8Array;
  /** SHA-256 of `coseSign1`. */
  readonly hash: Uint8Array;
  readonly coseSign1: Uint8Array;
  readonly at: string;
  readonly oidcIss: string | null;
  readonly oidcSub: string | null;
}

/** What every signature of this hub rests on: the hub, its active key and the form of its statements. */
export interface Seal {
  readonly hubId: Uuid;
  readonly signer: Signer;
  readonly canonicalization: Canonicalization;
  /** ISO 8601. No entry of a key is older than the key. */
  readonly keyActivatedAt: string;
}

export const GENESIS_HASH: Uint8Array = new Uint8Array(32);

/** The `reason` of the refusal to seal a statement beyond MAX_STATEMENT_BYTES. */
export const STATEMENT_TOO_LONG = 'statement_too_long';

export const issuerOf = (hubId: Uuid): string => `urn:service:${hubId}`;

/** The time of the next entry of a chain: never before the entry before it, nor before its key. */
export const nextAt = (now: Date, head: ChainHead | null, seal: Seal): string => {
  const clock = now.toISOString();
  const floor = head && head.at > seal.keyActivatedAt ? head.at : seal.keyActivatedAt;
  return clock > floor ? clock : floor;
};

/** Signs one statement as the entry after `head` (null: as the first of `chainKey`). */
export const sealEntry = async (
  seal: Seal,
  chainKey: ChainKey,
  head: ChainHead | null,
  statement: Statement,
  row: Pick<ChainEntry, 'entryType' | 'recordId' | 'orgId' | 'at' | 'oidcIss' | 'oidcSub'>,
): Promise<ChainEntry> => {
  const chain: ChainClaim = {
    chainKey,
    position: (head?.position ?? 0) + 1,
    previousHash: head?.hash ?? GENESIS_HASH,
  };
  const coseSign1 = await signStatement(seal, 'chain-entry', chainKey, statement, row.at, chain);
  return {
    ...row,
    chainKey,
    position: chain.position,
    previousHash: chain.previousHash,
    signingKeyId: seal.signer.keyId,
    coseSign1,
    hash: sha256(coseSign1),
  };
};

/** One COSE_Sign1 over a statement. `at` is ISO 8601; its whole seconds become `iat`. */
export const signStatement = async (
  seal: Seal,
  type: StructureType,
  subject: string,
  statement: Statement,
  at: string,
  chain?: ChainClaim,
): Promise<Uint8Array> => {
  const form = CANONICALIZATIONS[seal.canonicalization];
  const payload = form.encode(statement);
  if (payload.length > MAX_STATEMENT_BYTES)
    throw new NotaryError(
      'UNPROCESSABLE',
      `The statement to be sealed has ${payload.length} bytes; at most ${MAX_STATEMENT_BYTES} can be sealed.`,
      { reason: STATEMENT_TOO_LONG },
    );
  const protectedBytes = encodeProtected({
    alg: ALGORITHMS[seal.signer.algorithm].cose,
    contentType: form.contentType,
    kid: seal.signer.keyId,
    iss: issuerOf(seal.hubId),
    sub: subject,
    iat: Math.floor(Date.parse(at) / 1000),
    typ: typOf(type),
    ...(chain ? { chain } : {}),
  });
  const signature = await seal.signer.sign(sigStructure(protectedBytes, payload));
  return encodeSign1(protectedBytes, payload, signature);
};
