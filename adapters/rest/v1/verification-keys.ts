import { Type } from 'typebox';
import { ALGORITHMS } from '../../../domain/vault/algorithm.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { VaultKey } from '../../../domain/vault/key-statement.ts';
import { CANONICALIZATIONS, type Canonicalization } from '../../../domain/vault/statement.ts';
import { publicRoute, type Route } from '../../http/route.ts';
import { VERIFICATION_KEYS } from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Base64, Timestamp, nullable, oneOf } from '../wire.ts';

/** The public keys of the vault, under both of their addresses. */
export const verificationKeyRoutes = (useCases: RestUseCases): readonly Route[] => {
  const row = (path: string, operationId: string, summary: string): Route =>
    publicRoute({
      method: 'GET',
      path,
      operationId,
      summary,
      description:
        'Retired keys stay listed, so that older entries still verify. Find the key of an entry by its keyId and read its own algorithm. For an audit, obtain these keys, or their fingerprint, from somewhere other than the export.',
      tag: 'Verification',
      answers: {
        200: {
          description: 'Every key, newest activation first',
          schema: KeysSchema,
          example: VERIFICATION_KEYS,
        },
      },
      execute: () => useCases.listVerificationKeys.execute(),
      present: ({ keys, canonicalization }) => ({
        status: 200,
        body: presentKeys(keys, canonicalization),
      }),
    });
  return [
    row(
      '/v1/verification-keys',
      'listVerificationKeys',
      'The public keys that verify what the vault signed',
    ),
    row(
      '/.well-known/service-vault-keys.json',
      'wellKnownVaultKeys',
      'The same keys, at a well-known address',
    ),
  ];
};

const KeySchema = Type.Object({
  keyId: Type.String({ description: 'First 32 hex characters of the RFC 9679 thumbprint' }),
  algorithm: oneOf(['Ed25519', 'ES256']),
  coseAlgorithm: Type.Integer(),
  minVerifierVersion: Type.String(),
  publicKey: { ...Base64, description: 'SubjectPublicKeyInfo, DER' },
  publicKeyRaw: { ...Base64, description: '32 bytes, or the 65-byte SEC1 form for P-256' },
  status: oneOf(['active', 'retired']),
  activatedAt: Timestamp,
  retiredAt: nullable(Timestamp),
});

const KeysSchema = Type.Object({
  data: Type.Array(KeySchema),
  envelope: Type.String(),
  payloadFormat: Type.String(),
  canonicalization: oneOf(['jcs', 'cde']),
  coseAlgorithm: nullable(Type.Integer()),
  signatureAlgorithm: nullable(Type.String()),
  signatureInputTemplate: Type.String(),
});

/** RFC 9052 section 4.4. */
const SIGNATURE_INPUT =
  'deterministic CBOR of the array ["Signature1", <protected header, the bytes as received>, h\'\' (no external data), <payload, the bytes as received>]; verify the signature over these bytes with the key that kid names (ES256 signatures are r||s, 64 bytes)';

/** The members beside `data` describe the newest active key. */
const presentKeys = (keys: readonly VaultKey[], canonicalization: Canonicalization): object => {
  const newest = keys.find((key) => key.status === 'active');
  return {
    data: keys.map(presentKey),
    envelope: 'COSE_Sign1',
    payloadFormat: CANONICALIZATIONS[canonicalization].contentType,
    canonicalization,
    coseAlgorithm: newest ? ALGORITHMS[newest.algorithm].cose : null,
    signatureAlgorithm: newest?.algorithm ?? null,
    signatureInputTemplate: SIGNATURE_INPUT,
  };
};

const presentKey = (key: VaultKey): object => ({
  keyId: key.keyId,
  algorithm: key.algorithm,
  coseAlgorithm: ALGORITHMS[key.algorithm].cose,
  minVerifierVersion: ALGORITHMS[key.algorithm].minVerifierVersion,
  publicKey: Buffer.from(key.publicKey).toString('base64'),
  publicKeyRaw: Buffer.from(publicKeyFromSpki(key.publicKey).raw).toString('base64'),
  status: key.status,
  activatedAt: key.activatedAt,
  retiredAt: key.retiredAt,
});
