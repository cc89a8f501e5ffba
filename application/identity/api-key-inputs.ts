import { Type } from 'typebox';
import { ROLES } from '../../domain/identity/scopes.ts';
import { line, PAGE_INPUT, text, Timestamp, Uuid, oneOf } from '../call/schemas.ts';

/** The most keys that one call can name. */
const MAX_NAMED_KEYS = 100;

const NeverUsed = Type.Boolean({
  description: 'Needs createdBefore. A key that was let in once is not among them, on any node',
});
const Reason = text({ maxLength: 2000 });

export const MintKeyInput = Type.Object(
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
    label: Type.Optional(line({ maxLength: 256 })),
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

export const ListKeysInput = Type.Object(
  {
    ownerId: Type.Optional({ ...Uuid, description: 'Of this agent' }),
    orgId: Type.Optional({ ...Uuid, description: 'Of agents of this org' }),
    isActive: Type.Optional(
      Type.Boolean({ description: 'By the stored flag, which expiry does not change' }),
    ),
    role: Type.Optional(oneOf(ROLES, 'Of this role')),
    createdBefore: Type.Optional({ ...Timestamp, description: 'Created before then' }),
    lastUsedBefore: Type.Optional({ ...Timestamp, description: 'Last used before then' }),
    neverUsed: Type.Optional(NeverUsed),
    neverExpires: Type.Optional(Type.Boolean({ description: 'Without an end, or with one' })),
    ...PAGE_INPUT,
  },
  { additionalProperties: false },
);

export const UpdateKeyInput = Type.Object(
  { keyId: Uuid, isActive: Type.Boolean(), reason: Type.Optional(Reason) },
  { additionalProperties: false },
);

export const BulkRevokeInput = Type.Object(
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
    neverUsed: Type.Optional(NeverUsed),
    reason: Type.Optional(Reason),
  },
  { additionalProperties: false },
);
