import { LATER } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { CERT } from './certificate-example.ts';
import {
  ExchangeTokenInput,
  RevokeCertInput,
  RevokeIssuerCertsInput,
} from './certificate-inputs.ts';
import {
  CERTS_ENDED,
  CERT_ENDED,
  IssuedCertSchema,
  RevokedCertSchema,
  RevokedCertsSchema,
  USE_CERT,
  WHOAMI,
  issuedCertView,
  revokedCertView,
  revokedCertsView,
} from './certificate-view.ts';
import { ExchangeToken } from './exchange-token.ts';
import { TRUSTED_ISSUER } from './issuer-example.ts';
import { RevokeCert, RevokeIssuerCerts } from './revoke-certs.ts';
import { TOKEN_REFUSALS } from './token-refusal.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;

export const revokeIssuerCerts = operation({
  id: 'revokeIssuerCerts',
  words: {
    summary: 'Revoke every active certificate of an issuer',
    description:
      'At once on this node, within a second on every other. Disable the issuer first where it shall give no new ones.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: RevokeIssuerCertsInput,
  output: RevokedCertsSchema,
  examples: {
    leaked: { issuerId: TRUSTED_ISSUER.id, reason: 'The identity provider was broken into.' },
  },
  result: {
    description: 'How many',
    example: {
      revoked: 3,
      suggestion: CERTS_ENDED,
      nextSteps: [
        {
          action: 'view-issuer',
          operation: 'getTrustedIssuer',
          input: { issuerId: TRUSTED_ISSUER.id },
          description: 'Read the issuer',
        },
      ],
    },
  },
  target: ({ issuerId }) => (issuerId ? { kind: 'trusted-issuer', id: issuerId } : null),
  useCase: RevokeIssuerCerts,
  view: (revoked, guide) => ({ view: revokedCertsView(revoked, guide) }),
});

export const revokeCert = operation({
  id: 'revokeCert',
  words: {
    summary: 'Revoke a certificate',
    description:
      'At once on this node, within a second on every other. Doing it twice changes nothing.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: RevokeCertInput,
  output: RevokedCertSchema,
  examples: { leaked: { certId: CERT.id, reason: 'The workload leaked it.' } },
  result: {
    description: 'The certificate',
    example: {
      ...CERT,
      revokedAt: LATER,
      wasRevoked: false,
      suggestion: CERT_ENDED,
      nextSteps: [],
    },
  },
  target: ({ certId }) => (certId ? { kind: 'certificate', id: certId } : null),
  useCase: RevokeCert,
  view: (revoked, guide) => ({ view: revokedCertView(revoked, guide) }),
});

export const exchangeToken = operation({
  id: 'exchangeToken',
  words: {
    summary: 'Exchange a token of an identity provider for a certificate of an agent',
    description: `The certificate is the bearer for as long as the token is good, and no longer than the issuer allows; it carries exactly the scopes that the token asserts. proofOfPossession is an Ed25519 signature by publicKeyJwk over the UTF-8 bytes of service.oidc.cert.v1, a line feed and the sub of the token, in base64. It shows that the caller holds the key; being over a constant prefix it does not stop a stolen token, which requireProof dpop of the issuer does. A token is exchanged once, and a key belongs to one subject and agent for ever. A refusal carries a reason: ${Object.keys(
      TOKEN_REFUSALS,
    )
      .filter((reason) => reason !== 'role_unknown')
      .join(', ')}.`,
    group: 'Authentication',
  },
  effect: 'write',
  access: () => 'public',
  input: ExchangeTokenInput,
  output: IssuedCertSchema,
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
  result: {
    description: 'The certificate',
    example: {
      cert: CERT,
      certJws: 'eyJ0eXAiOiJzZXJ2aWNlLWNlcnQrand0In0.eyJqdGkiOiIuLi4ifQ.c2lnbmF0dXJl',
      suggestion: USE_CERT,
      nextSteps: [WHOAMI],
    },
  },
  problems: ['UNAUTHORIZED', 'ACCOUNT_DEACTIVATED', 'CONFLICT', 'UNPROCESSABLE'],
  secrets: ['certJws'],
  useCase: ExchangeToken,
  view: (issued) => ({ view: issuedCertView(issued) }),
});
