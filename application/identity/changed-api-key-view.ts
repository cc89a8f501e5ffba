import { Type } from 'typebox';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import { GUIDANCE, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { ApiKeySchema, apiKeyView } from './api-key-view.ts';
import type { BulkRevocation } from './bulk-revoke-keys.ts';

/** A key that was revoked or brought back. */
export const ChangedApiKeySchema = Type.Object({
  ...ApiKeySchema.properties,
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

export const BulkRevokedSchema = Type.Object({
  revoked: Type.Integer({ description: 'How many' }),
  keyIds: Type.Array(Uuid, { description: 'Which' }),
  alreadyRevoked: Type.Array(Uuid, { description: 'Of those named' }),
  notFound: Type.Array(Uuid, { description: 'Of those named; keys of other orgs among them' }),
  hint: Type.Optional(Type.String()),
  ...GUIDANCE,
});

/** Also in the example of the answer. */
export const KEYS_REVOKED =
  'The keys open nothing any more. Keys that they minted live on; find them by createdByKeyId.';

export const LIST_KEYS: NextStep = {
  action: 'list-keys',
  operation: 'listApiKeys',
  input: {},
  description: 'List the keys that are left',
};

export const MINT_ANOTHER: NextStep = {
  action: 'mint-key',
  operation: 'mintApiKey',
  input: {},
  description: 'Mint another key',
};

export const changedApiKeyView = (
  key: ApiKey,
  guide: Guide,
): ViewOf<typeof ChangedApiKeySchema> => ({
  ...apiKeyView(key),
  ...(!key.isActive && key.role === 'admin'
    ? {
        hint: 'If this was the last admin key of the org, a platform operator must mint the next one.',
      }
    : {}),
  suggestion: key.isActive
    ? 'The key opens again.'
    : 'The key opens nothing any more. Keys that it minted live on; find them by createdByKeyId.',
  nextSteps: guide.steps(LIST_KEYS, MINT_ANOTHER),
});

export const bulkRevokedView = (
  { revoked, alreadyRevoked, notFound, more }: BulkRevocation,
  guide: Guide,
): ViewOf<typeof BulkRevokedSchema> => ({
  revoked: revoked.length,
  keyIds: revoked,
  alreadyRevoked,
  notFound,
  ...(more ? { hint: 'More keys match than one call revokes.' } : {}),
  suggestion: more
    ? 'Send the same request again, under another Idempotency-Key if there is one.'
    : KEYS_REVOKED,
  nextSteps: guide.steps(LIST_KEYS),
});
