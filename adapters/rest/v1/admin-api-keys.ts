import { Type } from 'typebox';
import { ROLES } from '../../../domain/identity/scopes.ts';
import { route, type Route } from '../../http/route.ts';
import { IDS, KEY_ROW, MINTED_KEY, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Timestamp, Uuid, oneOf, pageOf, withInstants } from '../wire.ts';
import { ChangedKeySchema, KeyRowSchema, MintedKeySchema, presentKeyRow, presentMintedKey } from './key-presenter.ts';

export const adminApiKeyRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/api-keys',
    operationId: 'mintApiKey',
    summary: 'Mint a key for an agent',
    description: 'The key is in this answer and nowhere else. It never exceeds the key that mints it, in role, scopes or addresses.',
    tag: 'Administration',
    access: { scope: 'admin:keys' },
    body: MintBody,
    secret: true,
    examples: { performer: { role: 'agent', ownerType: 'agent', ownerId: IDS.performer, scopeProfile: 'agent-performer', label: 'reporter, production' } },
    answers: { 201: { description: 'The key, once', schema: MintedKeySchema, example: MINTED_KEY } },
    problems: ['UNPROCESSABLE', 'FORBIDDEN'],
    execute: (context, { body }) => useCases.mintKey.execute(context, withInstants(body, ['expiresAt'])),
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
    answers: { 200: { description: 'A page of keys, without the keys themselves', schema: pageOf(KeyRowSchema), example: pageExample(KEY_ROW) } },
    problems: ['NOT_FOUND'],
    execute: (context, { query, slice }) => useCases.listKeys.execute(context, { filter: withInstants(query, ['createdBefore', 'lastUsedBefore']), slice }),
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
    answers: { 200: { description: 'The key', schema: ChangedKeySchema, example: { ...KEY_ROW, isActive: false, suggestion: 'Mint another key if the owner still needs one.', nextSteps: [{ action: 'mint-key', method: 'POST', href: '/v1/admin/api-keys', description: 'Mint another key' }] } } },
    problems: ['PLATFORM_REQUIRED', 'PROVISIONING_MANAGED'],
    execute: (context, { params, body }) => useCases.updateKey.execute(context, { keyId: params.keyId, ...body }),
    present: (key, view) => ({
      status: 200,
      body: {
        ...presentKeyRow(key),
        ...(!key.isActive && key.role === 'admin' ? { hint: 'If this was the last admin key of the org, a platform operator must mint the next one.' } : {}),
        suggestion: key.isActive ? 'The key opens again.' : 'The key opens nothing any more. Keys that it minted live on; find them by createdByKeyId.',
        nextSteps: stepsTo(view, ['list-keys', 'listApiKeys', 'List the keys that are left'], ['mint-key', 'mintApiKey', 'Mint another key']),
      },
    }),
  }),
];

const MintBody = Type.Object(
  {
    role: oneOf(ROLES),
    ownerType: oneOf(['agent']),
    ownerId: { ...Uuid, description: 'An existing agent' },
    scopeProfile: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A profile of GET /v1/scope-profiles; default: the full one of the role' })),
    scopes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, description: 'Instead of scopeProfile' })),
    label: Type.Optional(Type.String({ maxLength: 256 })),
    expiresAt: Type.Optional(Timestamp),
    expiresInSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_155_760_000, description: 'Instead of expiresAt' })),
    allowedIps: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100, description: 'CIDR ranges' })),
  },
  { additionalProperties: false },
);

const UpdateBody = Type.Object({ isActive: Type.Boolean(), reason: Type.Optional(Type.String({ maxLength: 2000 })) }, { additionalProperties: false });

const ListQuery = Type.Object({
  ownerId: Type.Optional(Uuid),
  orgId: Type.Optional(Uuid),
  isActive: Type.Optional(Type.Boolean()),
  role: Type.Optional(oneOf(ROLES)),
  createdBefore: Type.Optional(Timestamp),
  lastUsedBefore: Type.Optional(Timestamp),
  neverUsed: Type.Optional(Type.Boolean({ description: 'Needs createdBefore' })),
  neverExpires: Type.Optional(Type.Boolean()),
});
