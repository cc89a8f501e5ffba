import { Type } from 'typebox';
import type { Caller } from '../../domain/identity/caller.ts';
import { ROLES, SCOPES } from '../../domain/identity/scopes.ts';
import { Timestamp, Uuid, nullable, oneOf, orNull } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

export const CallerSchema = Type.Object({
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

export const callerView = (caller: Caller): ViewOf<typeof CallerSchema> => ({
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
