import { Type } from 'typebox';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import { publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { KeyStatement, VaultKey } from '../../domain/vault/key-statement.ts';
import { CANONICALIZATIONS } from '../../domain/vault/statement.ts';
import { Base64, Timestamp, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { VerificationKeys } from './list-verification-keys.ts';

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

const KeyStatementSchema = Type.Object({
  keyId: Type.String(),
  statement: oneOf(['activated', 'retired']),
  position: Type.Integer({ description: 'On the platform chain' }),
  coseSign1: { ...Base64, description: 'The KEY_ACTIVATED or KEY_RETIRED as it was sealed' },
});

export const VerificationKeysSchema = Type.Object({
  data: Type.Array(KeySchema),
  keyStatements: Type.Array(KeyStatementSchema),
  envelope: Type.String(),
  payloadFormat: Type.String(),
  canonicalization: oneOf(['jcs', 'cde']),
  coseAlgorithm: nullable(Type.Integer()),
  signatureAlgorithm: nullable(Type.String()),
  signatureInputTemplate: Type.String(),
});

/** The members beside `data` describe the newest active key. */
export const verificationKeysView = ({
  keys,
  statements,
  canonicalization,
}: VerificationKeys): ViewOf<typeof VerificationKeysSchema> => {
  const newest = keys.find((key) => key.status === 'active');
  return {
    data: keys.map(keyView),
    keyStatements: statements.map(keyStatementView),
    envelope: 'COSE_Sign1',
    payloadFormat: CANONICALIZATIONS[canonicalization].contentType,
    canonicalization,
    coseAlgorithm: newest ? ALGORITHMS[newest.algorithm].cose : null,
    signatureAlgorithm: newest?.algorithm ?? null,
    signatureInputTemplate: SIGNATURE_INPUT,
  };
};

/** As an export holds it. */
const keyStatementView = ({
  keyId,
  statement,
  chainPosition,
  coseSign1,
}: KeyStatement): ViewOf<typeof KeyStatementSchema> => ({
  keyId,
  statement,
  position: chainPosition,
  coseSign1: encodeBase64(coseSign1),
});

/** RFC 9052 section 4.4. */
const SIGNATURE_INPUT =
  'deterministic CBOR of the array ["Signature1", <protected header, the bytes as received>, h\'\' (no external data), <payload, the bytes as received>]; verify the signature over these bytes with the key that kid names (ES256 signatures are r||s, 64 bytes)';

const keyView = (key: VaultKey): ViewOf<typeof KeySchema> => ({
  keyId: key.keyId,
  algorithm: key.algorithm,
  coseAlgorithm: ALGORITHMS[key.algorithm].cose,
  minVerifierVersion: ALGORITHMS[key.algorithm].minVerifierVersion,
  publicKey: encodeBase64(key.publicKey),
  publicKeyRaw: encodeBase64(publicKeyFromSpki(key.publicKey).raw),
  status: key.status,
  activatedAt: key.activatedAt,
  retiredAt: key.retiredAt,
});
