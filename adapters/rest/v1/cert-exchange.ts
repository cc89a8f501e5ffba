import { Type } from 'typebox';
import { TOKEN_REFUSALS } from '../../../application/identity/token-refusal.ts';
import { MAX_JWS_LENGTH } from '../../../domain/identity/compact-jws.ts';
import { publicRoute, type Route } from '../../http/route.ts';
import { CERT } from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE } from '../wire.ts';
import { CertSchema, presentCert } from './cert-presenter.ts';

export const certExchangeRoutes = (useCases: RestUseCases): readonly Route[] => [
  publicRoute({
    method: 'POST',
    path: '/v1/auth/oidc/cert',
    operationId: 'exchangeToken',
    summary: 'Exchange a token of an identity provider for a certificate of an agent',
    description: `The certificate is the bearer for as long as the token is good, and no longer than the issuer allows; it carries exactly the scopes that the token asserts. proofOfPossession is an Ed25519 signature by publicKeyJwk over the UTF-8 bytes of service.oidc.cert.v1, a line feed and the sub of the token, in base64. It shows that the caller holds the key; being over a constant prefix it does not stop a stolen token, which requireProof dpop of the issuer does. A token is exchanged once, and a key belongs to one subject and agent for ever. A refusal carries a reason: ${Object.keys(
      TOKEN_REFUSALS,
    )
      .filter((reason) => reason !== 'role_unknown')
      .join(', ')}.`,
    tag: 'Authentication',
    headers: { dpop: 'A DPoP proof (RFC 9449) with ath, where the issuer demands it' },
    body: ExchangeBody,
    secret: true,
    examples: {
      agent: {
        oidcToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiIuLi4ifQ.c2lnbmF0dXJl',
        publicKeyJwk: {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        },
        proofOfPossession: `${'A'.repeat(86)}==`,
      },
    },
    answers: {
      201: {
        description: 'The certificate',
        schema: IssuedCertSchema,
        example: {
          cert: CERT,
          certJws: 'eyJ0eXAiOiJzZXJ2aWNlLWNlcnQrand0In0.eyJqdGkiOiIuLi4ifQ.c2lnbmF0dXJl',
          suggestion: USE_IT,
          nextSteps: [WHOAMI],
        },
      },
    },
    problems: ['UNAUTHORIZED', 'ACCOUNT_DEACTIVATED', 'UNPROCESSABLE'],
    execute: ({ body, dpop, requestId }) =>
      useCases.exchangeToken.execute({ requestId, ...(dpop ? { dpop } : {}) }, body),
    present: ({ cert, certJws }) => ({
      status: 201,
      headers: { 'Cache-Control': 'no-store' },
      body: { cert: presentCert(cert), certJws, suggestion: USE_IT, nextSteps: [WHOAMI] },
    }),
  }),
];

const USE_IT =
  'Send certJws as "Authorization: Bearer <certJws>" until it expires, and then exchange another token.';
const WHOAMI = {
  action: 'whoami',
  method: 'GET',
  href: '/v1/auth/me',
  description: 'Call with the certificate, to see what it may do',
};

const ExchangeBody = Type.Object(
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

const IssuedCertSchema = Type.Object({
  cert: CertSchema,
  certJws: Type.String({ description: 'The bearer token, shown here and never again' }),
  ...GUIDANCE,
});
