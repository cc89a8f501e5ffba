import { Type } from 'typebox';
import type { EncryptionKey, SigningKey } from '../../domain/identity/agent-key.ts';
import { jwkOf, verifyingKeyOf, type Curve } from '../../domain/identity/agent-public-key.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { encodeCbor } from '../../domain/kernel/deterministic-cbor.ts';
import { coseKeyOf } from '../../domain/vault/cose-key.ts';
import { Base64, GUIDANCE, Sha256, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

const JWK = {
  kty: oneOf(['OKP', 'EC']),
  x: Type.String(),
  y: Type.Optional(Type.String({ description: 'P-256 alone' })),
};

const curveOf = (...curves: readonly Curve[]) =>
  Type.Unsafe<Curve>({ type: 'string', enum: curves });

export const SigningKeySchema = Type.Object(
  {
    thumbprint: {
      ...Sha256,
      description:
        'RFC 9679 (SHA-256 of the COSE_Key), lowercase hex: its 32 bytes are the kid of a signed statement',
    },
    algorithm: oneOf(['Ed25519', 'ES256']),
    publicKeyJwk: Type.Object({ ...JWK, crv: curveOf('Ed25519', 'P-256') }),
    coseKey: { ...Base64, description: 'The same key as a COSE_Key (RFC 9052)' },
    issuers: Type.Array(Type.String(), {
      description: 'The iss that statements signed with it may name',
    }),
    addedAt: Timestamp,
    revokedAt: nullable(Timestamp),
  },
  {
    description:
      'A public key that an agent signs statements with. A revoked one stays, since it verifies what was signed before.',
  },
);

export const EncryptionJwkSchema = Type.Object(
  {
    ...JWK,
    crv: curveOf('X25519', 'P-256'),
    kid: Type.String({ description: 'The RFC 7638 thumbprint: the kid of a JWE recipient' }),
    use: Type.Literal('enc'),
  },
  { description: 'The public key that content for an agent is encrypted to' },
);

/** Where the key has just been published. */
export const PublishedEncryptionKeySchema = Type.Object({
  agentId: Uuid,
  thumbprint: Type.String({ description: 'RFC 7638, base64url' }),
  encryptionKeyJwk: EncryptionJwkSchema,
  setAt: Timestamp,
  ...GUIDANCE,
});

/** Where the key has just been registered. */
export const AddedSigningKeySchema = Type.Object({
  agentId: Uuid,
  ...SigningKeySchema.properties,
  ...GUIDANCE,
});

export const RevokedSigningKeySchema = Type.Object({
  id: { ...Sha256, description: 'The thumbprint, which names the key' },
  thumbprint: Sha256,
  deleted: Type.Literal(true),
  agentId: Uuid,
  revokedAt: Timestamp,
  ...GUIDANCE,
});

export const signingKeyView = ({
  key,
  thumbprint,
  issuers,
  addedAt,
  revokedAt,
}: SigningKey): ViewOf<typeof SigningKeySchema> => {
  const verifying = verifyingKeyOf(key);
  return {
    thumbprint,
    algorithm: verifying.algorithm,
    publicKeyJwk: jwkOf(key),
    coseKey: encodeBase64(encodeCbor(coseKeyOf(verifying))),
    issuers,
    addedAt,
    revokedAt,
  };
};

export const encryptionJwkView = ({
  jwk,
  thumbprint,
}: EncryptionKey): ViewOf<typeof EncryptionJwkSchema> => ({ ...jwk, kid: thumbprint, use: 'enc' });
