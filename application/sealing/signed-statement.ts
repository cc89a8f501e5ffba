import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { Vault } from './vault.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import { decodeProtected, decodeSign1 } from '../../domain/vault/cose-sign1.ts';
import { CANONICALIZATIONS, type Canonicalization } from '../../domain/vault/statement.ts';

/** A chain entry as a caller keeps it: anyone who has the public key can verify it without the service. */
export interface SignedStatement {
  readonly chainKey: string;
  readonly position: number;
  readonly entryType: string;
  readonly hash: string;
  readonly previousHash: string;
  readonly signingKeyId: string;
  readonly algorithm: VaultAlgorithm;
  readonly canonicalization: Canonicalization;
  readonly coseSign1: Uint8Array;
}

export const signedStatement = (
  entry: ChainEntry | SealedEntry,
  algorithm: VaultAlgorithm,
): SignedStatement => ({
  chainKey: entry.chainKey,
  position: entry.position,
  entryType: entry.entryType,
  hash: toHex(entry.hash),
  previousHash: toHex(entry.previousHash),
  signingKeyId: entry.signingKeyId,
  algorithm,
  canonicalization:
    'canonicalization' in entry ? entry.canonicalization : canonicalizationOf(entry),
  coseSign1: entry.coseSign1,
});

/** A stored entry, by whichever key it was signed: by one that another node activated just now, too. */
export const storedStatement = (
  entry: ChainEntry,
  { seal: { signer } }: Pick<Vault, 'seal'>,
): SignedStatement =>
  signedStatement(
    entry,
    entry.signingKeyId === signer.keyId ? signer.algorithm : algorithmOf(entry),
  );

const algorithmOf = (entry: ChainEntry): VaultAlgorithm => {
  const { alg } = decodeProtected(decodeSign1(entry.coseSign1).protectedBytes);
  return alg === ALGORITHMS.ES256.cose ? 'ES256' : 'Ed25519';
};

/** The form of a stored entry, read from its own protected header. */
const canonicalizationOf = (entry: ChainEntry): Canonicalization => {
  const { contentType } = decodeProtected(decodeSign1(entry.coseSign1).protectedBytes);
  return contentType === CANONICALIZATIONS.cde.contentType ? 'cde' : 'jcs';
};
