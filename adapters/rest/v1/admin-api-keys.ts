import { Type } from 'typebox';
import { MAX_NAMED_KEYS } from '../../../application/identity/bulk-revoke-keys.ts';
import { ROLES } from '../../../domain/identity/scopes.ts';
import { route, type Route } from '../../http/route.ts';
import { IDS, KEY_ROW, MINTED_KEY, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, Timestamp, Uuid, oneOf, pageOf, withInstants } from '../wire.ts';
import {
  ChangedKeySchema,
  KeyRowSchema,
  MintedKeySchema,
  presentKeyRow,
  presentMintedKey,
} from './key-presenter.ts';

export const adminApiKeyRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/api-keys',
    operationId: 'mintApiKey',
    summary: 'Mint a key for an agent',
    description:
      'The key is in this answer and nowhere else. It never exceeds the key that mints it, in role, scopes or addresses.',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    body: MintBody,
    secret: true,
    examples: {
      performer: {
        role: 'agent',
        ownerType: 'agent',
        ownerId: IDS.performer,
        scopeProfile: 'agent-performer',
        label: 'reporter, production',
      },
    },
    answers: {
      201: { description: 'The key, once', schema: MintedKeySchema, example: MINTED_KEY },
    },
    problems: ['UNPROCESSABLE', 'FORBIDDEN'],
    execute: (context, { body }) =>
      useCases.mintKey.execute(context, withInstants(body, ['expiresAt'])),
    present: (issued, view) => ({ status: 201, body: presentMintedKey(issued, view) }),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/api-keys',
    operationId: 'listApiKeys',
    summary: 'List keys, newest first',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    query: ListQuery,
    paged: true,
    answers: {
      200: {
        description: 'A page of keys, without the keys themselves',
        schema: pageOf(KeyRowSchema),
        example: pageExample(KEY_ROW),
      },
    },
    problems: ['NOT_FOUND'],
    execute: (context, { query, slice }) =>
      useCases.listKeys.execute(context, {
        filter: withInstants(query, ['createdBefore', 'lastUsedBefore']),
        slice,
      }),
    present: (slice, view) => presentPage(slice, view, presentKeyRow),
  }),
  route({
    method: 'PATCH',
    path: '/v1/admin/api-keys/{keyId}',
    operationId: 'updateApiKey',
    summary: 'Revoke a key; a platform key may also bring one back',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    params: Type.Object({ keyId: Uuid }),
    body: UpdateBody,
    examples: { revoke: { isActive: false, reason: 'The machine was retired.' } },
    answers: {
      200: {
        description: 'The key',
        schema: ChangedKeySchema,
        example: {
          ...KEY_ROW,
          isActive: false,
          suggestion: 'Mint another key if the owner still needs one.',
          nextSteps: [
            {
              action: 'mint-key',
              method: 'POST',
              href: '/v1/admin/api-keys',
              description: 'Mint another key',
            },
          ],
        },
      },
    },
    problems: ['PLATFORM_REQUIRED', 'PROVISIONING_MANAGED'],
    execute: (context, { params, body }) =>
      useCases.updateKey.execute(context, { keyId: params.keyId, ...body }),
    present: (key, view) => ({
      status: 200,
      body: {
        ...presentKeyRow(key),
        ...(!key.isActive && key.role === 'admin'
          ? {
              hint: 'If this was the last admin key of the org, a platform operator must mint the next one.',
            }
          : {}),
        suggestion: key.isActive
          ? 'The key opens again.'
          : 'The key opens nothing any more. Keys that it minted live on; find them by createdByKeyId.',
        nextSteps: stepsTo(
          view,
          ['list-keys', 'listApiKeys', 'List the keys that are left'],
          ['mint-key', 'mintApiKey', 'Mint another key'],
        ),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/api-keys/bulk-revoke',
    operationId: 'bulkRevokeApiKeys',
    summary: 'Revoke many keys',
    description:
      'Either those that are named, all at once or none, or active ones that match every filter given, some at a time and at most 10,000 a call; an admin reaches the keys of its org alone. Filters spare the calling key, and keys that provisioning files manage. Refused, before anything is revoked, where an org would be left without an active admin key.',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    body: BulkRevokeBody,
    examples: {
      named: { keyIds: [IDS.key, IDS.newKey], reason: 'They were in a log.' },
      unused: {
        role: 'agent',
        neverUsed: true,
        createdBefore: '2026-01-01T00:00:00.000Z',
        reason: 'Never used.',
      },
    },
    answers: {
      200: {
        description: 'What was revoked',
        schema: BulkRevokedSchema,
        example: {
          revoked: 1,
          keyIds: [IDS.key],
          alreadyRevoked: [IDS.newKey],
          notFound: [],
          suggestion: REVOKED,
          nextSteps: [
            {
              action: 'list-keys',
              method: 'GET',
              href: '/v1/admin/api-keys',
              description: 'List the keys that are left',
            },
          ],
        },
      },
    },
    problems: ['FORBIDDEN', 'PROVISIONING_MANAGED'],
    execute: (context, { body }) =>
      useCases.bulkRevokeKeys.execute(
        context,
        withInstants(body, ['createdBefore', 'lastUsedBefore']),
      ),
    present: ({ revoked, alreadyRevoked, notFound, more }, view) => ({
      status: 200,
      body: {
        revoked: revoked.length,
        keyIds: revoked,
        alreadyRevoked,
        notFound,
        ...(more ? { hint: 'More keys match than one call revokes.' } : {}),
        suggestion: more
          ? 'Send the same request again, under another Idempotency-Key if there is one.'
          : REVOKED,
        nextSteps: stepsTo(view, ['list-keys', 'listApiKeys', 'List the keys that are left']),
      },
    }),
  }),
];

const REVOKED =
  'The keys open nothing any more. Keys that they minted live on; find them by createdByKeyId.';

const BulkRevokeBody = Type.Object(
  {
    keyIds: Type.Optional(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: MAX_NAMED_KEYS,
        description: 'Instead of filters',
      }),
    ),
    ownerId: Type.Optional(Uuid),
    role: Type.Optional(oneOf(ROLES)),
    createdBefore: Type.Optional(Timestamp),
    lastUsedBefore: Type.Optional({
      ...Timestamp,
      description: 'Leaves out keys that were never used',
    }),
    neverUsed: Type.Optional(
      Type.Boolean({
        description: 'Needs createdBefore. A use is on the row within about five seconds',
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);

const BulkRevokedSchema = Type.Object({
  revoked: Type.Integer({ description: 'How many' }),
  keyIds: Type.Array(Uuid, { description: 'Which' }),
  alreadyRevoked: Type.Array(Uuid, { description: 'Of those named' }),
  notFound: Type.Array(Uuid, { description: 'Of those named; keys of other orgs among them' }),
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

const MintBody = Type.Object(
  {
    role: oneOf(ROLES),
    ownerType: oneOf(['agent']),
    ownerId: { ...Uuid, description: 'An existing agent' },
    scopeProfile: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A profile of GET /v1/scope-profiles; default: the full one of the role',
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Instead of scopeProfile',
      }),
    ),
    label: Type.Optional(Type.String({ maxLength: 256 })),
    expiresAt: Type.Optional(Timestamp),
    expiresInSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3_155_760_000, description: 'Instead of expiresAt' }),
    ),
    allowedIps: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'CIDR ranges',
      }),
    ),
  },
  { additionalProperties: false },
);

const UpdateBody = Type.Object(
  { isActive: Type.Boolean(), reason: Type.Optional(Type.String({ maxLength: 2000 })) },
  { additionalProperties: false },
);

const ListQuery = Type.Object({
  ownerId: Type.Optional(Uuid),
  orgId: Type.Optional(Uuid),
  isActive: Type.Optional(Type.Boolean()),
  role: Type.Optional(oneOf(ROLES)),
  createdBefore: Type.Optional(Timestamp),
  lastUsedBefore: Type.Optional(Timestamp),
  neverUsed: Type.Optional(
    Type.Boolean({
      description: 'Needs createdBefore. A use is on the row within about five seconds',
    }),
  ),
  neverExpires: Type.Optional(Type.Boolean()),
});
