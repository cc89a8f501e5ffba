import { Type } from 'typebox';
import { curvesFor, type KeyPurpose } from '../../domain/identity/agent-key-input.ts';
import { line, Uuid } from '../call/schemas.ts';

/** Looked over by the domain, which says what is wrong with it in terms of the key. */
const jwkFor = (purpose: KeyPurpose) =>
  Type.Unsafe<{ readonly [member: string]: unknown }>({
    type: 'object',
    description: `A public JWK (RFC 7517) on ${curvesFor(purpose).join(' or ')}. Never the private members: a key with d is refused.`,
  });

const Proof = Type.String({ maxLength: 512, description: 'Base64 of the raw signature' });

export const EncryptionKeyInput = Type.Object(
  {
    agentId: Uuid,
    publicKeyJwk: jwkFor('encryption'),
    proofOfPossession: Type.Optional(Proof),
  },
  { additionalProperties: false },
);

export const SigningKeyInput = Type.Object(
  {
    agentId: Uuid,
    publicKeyJwk: Type.Optional(jwkFor('signing')),
    coseKey: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Instead of publicKeyJwk: base64 of a COSE_Key in deterministic CBOR',
      }),
    ),
    proofOfPossession: Proof,
    issuers: Type.Optional(
      Type.Array(line({ minLength: 1, maxLength: 512 }), {
        maxItems: 32,
        description: 'The iss that statements signed with the key may name',
      }),
    ),
  },
  { additionalProperties: false },
);
