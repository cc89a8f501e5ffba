import { Type } from 'typebox';
import type { TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import { route, type Route, type View } from '../../http/route.ts';
import { IDS, TRUSTED_ISSUER, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, Uuid, pageOf } from '../wire.ts';
import {
  CHANGEABLE,
  ClaimMappingBody,
  FIXED,
  TrustedIssuerSchema,
  presentIssuer,
} from './issuer-presenter.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const PATH = '/v1/admin/trusted-issuers';

/** The identity providers whose tokens are believed. */
export const adminIssuerRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: PATH,
    operationId: 'createTrustedIssuer',
    summary: 'Trust an identity provider',
    description:
      'Its key set is fetched when its first token comes. An issuer with an orgId vouches for the agents of that org and at most for its admins; the role platform comes only from an issuer whose orgId is null.',
    tag: 'Administration',
    access: PLATFORM,
    body: CreateBody,
    examples: {
      agents: {
        orgId: IDS.org,
        issuerUrl: TRUSTED_ISSUER.issuerUrl,
        expectedAudience: TRUSTED_ISSUER.expectedAudience,
      },
      admins: {
        orgId: IDS.org,
        issuerUrl: TRUSTED_ISSUER.issuerUrl,
        expectedAudience: 'notary-admin',
        appliesTo: 'admin',
        subjectAllowlist: ['alice@acme.example'],
        claimMapping: { role: '/resource_access/notary/role' },
      },
    },
    answers: {
      201: {
        description: 'The issuer',
        schema: ChangedIssuerSchema,
        example: { ...TRUSTED_ISSUER, suggestion: AGENTS_NEXT, nextSteps: [VIEW_STEP] },
        headers: { Location: 'Path of the issuer' },
      },
    },
    problems: ['UNPROCESSABLE', 'CONFLICT'],
    execute: (context, { body }) => useCases.createIssuer.execute(context, body),
    present: (issuer, view) => ({
      status: 201,
      headers: { Location: `${PATH}/${issuer.id}` },
      body: changed(issuer, view),
    }),
  }),
  route({
    method: 'GET',
    path: PATH,
    operationId: 'listTrustedIssuers',
    summary: 'List trusted identity providers, newest first',
    tag: 'Administration',
    access: PLATFORM,
    query: Type.Object({ orgId: Type.Optional(Uuid) }),
    paged: true,
    answers: {
      200: {
        description: 'A page of issuers',
        schema: pageOf(TrustedIssuerSchema),
        example: pageExample(TRUSTED_ISSUER),
      },
    },
    execute: (context, { query, slice }) =>
      useCases.listIssuers.execute(context, { filter: query, slice }),
    present: (slice, view) => presentPage(slice, view, presentIssuer),
  }),
  route({
    method: 'GET',
    path: `${PATH}/{id}`,
    operationId: 'getTrustedIssuer',
    summary: 'Read a trusted identity provider',
    tag: 'Administration',
    access: PLATFORM,
    params: IssuerPath,
    answers: {
      200: { description: 'The issuer', schema: TrustedIssuerSchema, example: TRUSTED_ISSUER },
    },
    execute: (context, { params }) => useCases.getIssuer.execute(context, params),
    present: (issuer) => ({ status: 200, body: presentIssuer(issuer) }),
  }),
  route({
    method: 'PATCH',
    path: `${PATH}/{id}`,
    operationId: 'updateTrustedIssuer',
    summary: 'Change how far an identity provider is trusted',
    description:
      'orgId, issuerUrl and appliesTo stay as they were registered. Certificates that were given before are as good as they were; revoke-certs ends them.',
    tag: 'Administration',
    access: PLATFORM,
    params: IssuerPath,
    body: UpdateBody,
    examples: {
      disable: { enabled: false },
      allow: { subjectAllowlist: ['alice@acme.example', 'bob@acme.example'] },
    },
    answers: {
      200: {
        description: 'The issuer',
        schema: ChangedIssuerSchema,
        example: {
          ...TRUSTED_ISSUER,
          enabled: false,
          suggestion: DISABLED,
          nextSteps: [VIEW_STEP],
        },
      },
    },
    problems: ['UNPROCESSABLE', 'CONFLICT', 'PROVISIONING_MANAGED'],
    execute: (context, { params, body }) =>
      useCases.updateIssuer.execute(context, { id: params.id, changes: body }),
    present: (issuer, view) => ({ status: 200, body: changed(issuer, view) }),
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operationId: 'deleteTrustedIssuer',
    summary: 'Forget an identity provider that never gave a certificate',
    tag: 'Administration',
    access: PLATFORM,
    params: IssuerPath,
    answers: {
      200: {
        description: 'Forgotten',
        schema: DeletedIssuerSchema,
        example: { id: TRUSTED_ISSUER.id, deleted: true, suggestion: FORGOTTEN, nextSteps: [] },
      },
    },
    problems: ['ROW_HAS_DEPENDENT_RECORDS', 'PROVISIONING_MANAGED'],
    execute: (context, { params }) => useCases.deleteIssuer.execute(context, params),
    present: (issuer, view) => ({
      status: 200,
      body: {
        id: issuer.id,
        deleted: true,
        suggestion: FORGOTTEN,
        nextSteps: stepsTo(view, ['list', 'listTrustedIssuers', 'List the issuers that are left']),
      },
    }),
  }),
];

const AGENTS_NEXT = 'Let an agent exchange a token of the issuer at POST /v1/auth/oidc/cert.';
const ADMINS_NEXT = 'Let an admin call with a token of the issuer as the bearer.';
const NOBODY_YET = 'Nobody gets in yet: name the subjects in subjectAllowlist.';
const DISABLED =
  'No token of the issuer is taken any more. Certificates that it gave live on until they expire; revoke-certs ends them.';
const FORGOTTEN = 'Tokens of the issuer are refused as unknown_issuer from now on.';
const VIEW_STEP = {
  action: 'view',
  method: 'GET',
  href: `${PATH}/${TRUSTED_ISSUER.id}`,
  description: 'Read the issuer',
};

const suggestionFor = (issuer: TrustedIssuer): string => {
  if (!issuer.enabled) return DISABLED;
  if (issuer.appliesTo === 'agent') return AGENTS_NEXT;
  return issuer.subjectAllowlist.length === 0 ? NOBODY_YET : ADMINS_NEXT;
};

const changed = (issuer: TrustedIssuer, view: View): object => ({
  ...presentIssuer(issuer),
  suggestion: suggestionFor(issuer),
  nextSteps: stepsTo(
    view,
    ['view', 'getTrustedIssuer', 'Read the issuer', { id: issuer.id }],
    ...(issuer.enabled
      ? []
      : [
          [
            'revoke-certs',
            'revokeIssuerCerts',
            'Revoke every active certificate of the issuer',
            { id: issuer.id },
          ] as const,
        ]),
  ),
});

const IssuerPath = Type.Object({ id: Uuid });

const optional = <M extends typeof CHANGEABLE>(members: M) => ({
  jwksUri: Type.Optional(members.jwksUri),
  maxCredentialTtlSeconds: Type.Optional(members.maxCredentialTtlSeconds),
  enabled: Type.Optional(members.enabled),
  subjectAllowlist: Type.Optional(members.subjectAllowlist),
  requireProof: Type.Optional(members.requireProof),
  requireCoSignature: Type.Optional(members.requireCoSignature),
  claimMapping: Type.Optional(ClaimMappingBody),
});

const CreateBody = Type.Object(
  {
    orgId: FIXED.orgId,
    issuerUrl: FIXED.issuerUrl,
    expectedAudience: CHANGEABLE.expectedAudience,
    appliesTo: Type.Optional(FIXED.appliesTo),
    ...optional(CHANGEABLE),
  },
  { additionalProperties: false },
);
const UpdateBody = Type.Object(
  { expectedAudience: Type.Optional(CHANGEABLE.expectedAudience), ...optional(CHANGEABLE) },
  { additionalProperties: false, minProperties: 1 },
);
const ChangedIssuerSchema = Type.Object({ ...TrustedIssuerSchema.properties, ...GUIDANCE });
const DeletedIssuerSchema = Type.Object({ id: Uuid, deleted: Type.Literal(true), ...GUIDANCE });
