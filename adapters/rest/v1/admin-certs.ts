import { Type } from 'typebox';
import { route, type Route } from '../../http/route.ts';
import { CERT, LATER, TRUSTED_ISSUER } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, Timestamp, Uuid } from '../wire.ts';
import { CertSchema, presentCert } from './cert-presenter.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;

/** The end of certificates before their time. */
export const adminCertRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/trusted-issuers/{id}/revoke-certs',
    operationId: 'revokeIssuerCerts',
    summary: 'Revoke every active certificate of an issuer',
    description:
      'At once on this node, within a second on every other. Disable the issuer first where it shall give no new ones.',
    tag: 'Administration',
    access: PLATFORM,
    params: IdPath,
    body: ReasonBody,
    bodyOptional: true,
    examples: { leaked: { reason: 'The identity provider was broken into.' } },
    answers: {
      200: {
        description: 'How many',
        schema: RevokedSchema,
        example: {
          revoked: 3,
          suggestion: ALL_ENDED,
          nextSteps: [
            {
              action: 'view-issuer',
              method: 'GET',
              href: `/v1/admin/trusted-issuers/${TRUSTED_ISSUER.id}`,
              description: 'Read the issuer',
            },
          ],
        },
      },
    },
    execute: (context, { params, body }) =>
      useCases.revokeIssuerCerts.execute(context, { issuerId: params.id, ...body }),
    present: ({ revoked }, view, { params }) => ({
      status: 200,
      body: {
        revoked,
        suggestion: ALL_ENDED,
        nextSteps: stepsTo(view, [
          'view-issuer',
          'getTrustedIssuer',
          'Read the issuer',
          { id: params.id },
        ]),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/ephemeral-certs/{id}/revoke',
    operationId: 'revokeCert',
    summary: 'Revoke a certificate',
    description:
      'At once on this node, within a second on every other. Doing it twice changes nothing.',
    tag: 'Administration',
    access: PLATFORM,
    params: IdPath,
    body: ReasonBody,
    bodyOptional: true,
    examples: { leaked: { reason: 'The workload leaked it.' } },
    answers: {
      200: {
        description: 'The certificate',
        schema: RevokedCertSchema,
        example: { ...CERT, revokedAt: LATER, wasRevoked: false, suggestion: ENDED, nextSteps: [] },
      },
    },
    execute: (context, { params, body }) =>
      useCases.revokeCert.execute(context, { id: params.id, ...body }),
    present: ({ cert, wasRevoked }, view) => ({
      status: 200,
      body: {
        ...presentCert(cert),
        revokedAt: cert.revokedAt,
        wasRevoked,
        suggestion: ENDED,
        nextSteps: stepsTo(view, [
          'view-issuer',
          'getTrustedIssuer',
          'Read the issuer that vouched for it',
          { id: cert.issuerId },
        ]),
      },
    }),
  }),
];

const ENDED =
  'The certificate opens nothing any more. The agent may exchange another token, unless its issuer is disabled.';
const ALL_ENDED =
  'The certificates open nothing any more. Agents may exchange other tokens, unless the issuer is disabled.';

const IdPath = Type.Object({ id: Uuid });
const ReasonBody = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 2000 })) },
  { additionalProperties: false },
);
const RevokedSchema = Type.Object({ revoked: Type.Integer({ minimum: 0 }), ...GUIDANCE });
const RevokedCertSchema = Type.Object({
  ...CertSchema.properties,
  revokedAt: Timestamp,
  wasRevoked: Type.Boolean({ description: 'It was revoked before this call' }),
  ...GUIDANCE,
});
