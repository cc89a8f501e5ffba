import { Type } from 'typebox';
import { MAX_JWS_LENGTH } from '../../domain/identity/compact-jws.ts';
import { text, Uuid } from '../call/schemas.ts';

const Reason = text({ maxLength: 2000 });

export const RevokeIssuerCertsInput = Type.Object(
  { issuerId: Uuid, reason: Type.Optional(Reason) },
  { additionalProperties: false },
);

export const RevokeCertInput = Type.Object(
  { certId: Uuid, reason: Type.Optional(Reason) },
  { additionalProperties: false },
);

export const ExchangeTokenInput = Type.Object(
  {
    oidcToken: Type.String({
      minLength: 1,
      maxLength: MAX_JWS_LENGTH * 4,
      description: `A signed JWT, at most ${MAX_JWS_LENGTH} characters`,
    }),
    publicKeyJwk: Type.Unsafe<{ readonly [member: string]: unknown }>({
      type: 'object',
      description: 'A public JWK: kty OKP, crv Ed25519, x',
    }),
    proofOfPossession: Type.String({ maxLength: 512, description: 'Base64 of the raw signature' }),
  },
  { additionalProperties: false },
);
