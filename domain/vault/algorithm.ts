/** Everything about one signature algorithm in one row; the row is passed on, never its name. */
export interface AlgorithmRow {
  readonly name: VaultAlgorithm;
  /** COSE `alg` written into new entries (RFC 9053). */
  readonly cose: number;
  /** The fully specified twin of RFC 9864; accepted only where a key statement names it. */
  readonly coseFullySpecified: number;
  readonly signatureLength: number;
  /** WebCrypto parameters of importKey and of sign and verify. */
  readonly importParams: { readonly name: string; readonly namedCurve?: string };
  readonly signParams: { readonly name: string; readonly hash?: string };
  /** Oldest release of the verifier able to check it. */
  readonly minVerifierVersion: string;
  /** RFC 9421 name. */
  readonly httpSignature: string;
  /** JOSE `alg` (RFC 7518 section 3.1, RFC 8037 section 3.1). */
  readonly jose: string;
}

export type VaultAlgorithm = 'Ed25519' | 'ES256';

export const ALGORITHMS = {
  Ed25519: {
    name: 'Ed25519',
    cose: -8,
    coseFullySpecified: -19,
    signatureLength: 64,
    importParams: { name: 'Ed25519' },
    signParams: { name: 'Ed25519' },
    minVerifierVersion: '0.1.0',
    httpSignature: 'ed25519',
    jose: 'EdDSA',
  },
  ES256: {
    name: 'ES256',
    cose: -7,
    coseFullySpecified: -9,
    signatureLength: 64,
    importParams: { name: 'ECDSA', namedCurve: 'P-256' },
    signParams: { name: 'ECDSA', hash: 'SHA-256' },
    minVerifierVersion: '0.1.0',
    httpSignature: 'ecdsa-p256-sha256',
    jose: 'ES256',
  },
} as const satisfies Record<VaultAlgorithm, AlgorithmRow>;

const byCose = new Map<number, AlgorithmRow>(
  Object.values(ALGORITHMS).flatMap(
    (row) =>
      [
        [row.cose, row],
        [row.coseFullySpecified, row],
      ] as const,
  ),
);

/** The row of a COSE algorithm id, or undefined: a capability gap, never evidence of tampering. */
export const algorithmOfCose = (cose: number): AlgorithmRow | undefined => byCose.get(cose);
