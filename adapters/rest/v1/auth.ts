import { Type } from 'typebox';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ROLES, SCOPES } from '../../../domain/identity/scopes.ts';
import { route, type Route } from '../../http/route.ts';
import { ROTATED_KEY, WHOAMI } from '../examples.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Timestamp, Uuid, nullable, oneOf, orNull } from '../wire.ts';
import { RotatedKeySchema, presentMintedKey } from './key-presenter.ts';

export const authRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/auth/me',
    operationId: 'getWhoami',
    summary: 'Who this credential is, and what it may do',
    tag: 'Authentication',
    access: { scope: null },
    answers: { 200: { description: 'The caller', schema: WhoamiSchema, example: WHOAMI } },
    execute: ({ caller }) => Promise.resolve(caller),
    present: (caller) => ({ status: 200, body: presentCaller(caller) }),
  }),
  route({
    method: 'POST',
    path: '/v1/auth/keys/rotate',
    operationId: 'rotateKey',
    summary: 'Replace the calling key by a new one that may do the same',
    description: 'The old key ends at once, or after gracePeriodSeconds.',
    tag: 'Authentication',
    access: { scope: null },
    body: RotateBody,
    bodyOptional: true,
    secret: true,
    examples: { grace: { gracePeriodSeconds: 3600 } },
    answers: {
      201: { description: 'The new key, once', schema: RotatedKeySchema, example: ROTATED_KEY },
    },
    problems: ['UNPROCESSABLE'],
    execute: (context, { body }) => useCases.rotateKey.execute(context, body),
    present: (rotated, view) => ({
      status: 201,
      body: {
        ...presentMintedKey(rotated, view),
        previousKeyId: rotated.previousKeyId,
        previousKeyDeactivatesAt: rotated.previousKeyDeactivatesAt,
      },
    }),
  }),
];

const RotateBody = Type.Object(
  { gracePeriodSeconds: Type.Optional(Type.Integer({ minimum: 0 })) },
  { additionalProperties: false },
);

const WhoamiSchema = Type.Object({
  apiKeyId: nullable(Uuid),
  role: oneOf(ROLES),
  ownerId: nullable(Uuid),
  ownerType: nullable(oneOf(['agent'])),
  orgId: nullable({ ...Uuid, description: 'Null for a platform credential' }),
  scopes: Type.Array(oneOf(SCOPES)),
  name: Type.String(),
  authType: oneOf(['api_key', 'ephemeral_cert', 'oidc']),
  cert: orNull(Type.Object({ id: Uuid, thumbprint: Type.String(), expiresAt: Timestamp })),
  oidc: orNull(Type.Object({ iss: Type.String(), sub: Type.String() })),
});

const presentCaller = (caller: Caller): object => ({
  apiKeyId: caller.apiKeyId,
  role: caller.role,
  ownerId: caller.agentId,
  ownerType: caller.agentId === null ? null : 'agent',
  orgId: caller.orgId,
  scopes: caller.scopes,
  name: caller.name,
  authType: caller.authType,
  cert: caller.cert
    ? { id: caller.cert.id, thumbprint: caller.cert.thumbprint, expiresAt: caller.cert.expiresAt }
    : null,
  oidc: caller.oidc ?? null,
});
