import { IDS, pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf } from '../call/schemas.ts';
import { KEY_ROW, MINTED_KEY } from './credential-examples.ts';
import { BulkRevokeInput, ListKeysInput, MintKeyInput, UpdateKeyInput } from './api-key-inputs.ts';
import { ApiKeySchema, MintedApiKeySchema, apiKeyView, mintedApiKeyView } from './api-key-view.ts';
import { BulkRevokeKeys } from './bulk-revoke-keys.ts';
import {
  BulkRevokedSchema,
  ChangedApiKeySchema,
  KEYS_REVOKED,
  LIST_KEYS,
  MINT_ANOTHER,
  bulkRevokedView,
  changedApiKeyView,
} from './changed-api-key-view.ts';
import { ListKeys } from './list-keys.ts';
import { MintKey } from './mint-key.ts';
import { UpdateKey } from './update-key.ts';

export const mintApiKey = operation({
  id: 'mintApiKey',
  words: {
    summary: 'Mint a key for an agent',
    description:
      'The key is in this answer and nowhere else. It never exceeds the key that mints it, in role, scopes or addresses.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: 'admin:keys' }),
  input: MintKeyInput,
  output: MintedApiKeySchema,
  examples: {
    performer: {
      role: 'agent',
      ownerType: 'agent',
      ownerId: IDS.performer,
      scopeProfile: 'agent-performer',
      label: 'reporter, production',
    },
  },
  result: { description: 'The key, once', example: MINTED_KEY },
  problems: ['UNPROCESSABLE', 'FORBIDDEN'],
  secrets: ['apiKey'],
  useCase: MintKey,
  view: (issued, guide) => ({ view: mintedApiKeyView(issued, guide) }),
});

export const listApiKeys = listing({
  id: 'listApiKeys',
  words: { summary: 'List keys, newest first', group: 'Administration' },
  access: () => ({ scope: 'admin:keys' }),
  input: ListKeysInput,
  output: pageOf(ApiKeySchema),
  result: {
    description: 'A page of keys, without the keys themselves',
    example: pageExample(KEY_ROW),
  },
  problems: ['NOT_FOUND'],
  useCase: ListKeys,
  concerns: ({ rows }) => ({ orgs: rows.map(({ orgId }) => orgId) }),
  view: (slice, guide) => pageView(slice, guide, apiKeyView),
});

export const updateApiKey = operation({
  id: 'updateApiKey',
  words: {
    summary: 'Revoke a key; a platform key may also bring one back',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: 'admin:keys' }),
  input: UpdateKeyInput,
  output: ChangedApiKeySchema,
  examples: { revoke: { keyId: IDS.key, isActive: false, reason: 'The machine was retired.' } },
  result: {
    description: 'The key',
    example: {
      ...KEY_ROW,
      isActive: false,
      suggestion: 'Mint another key if the owner still needs one.',
      nextSteps: [MINT_ANOTHER],
    },
  },
  problems: ['PLATFORM_REQUIRED', 'PROVISIONING_MANAGED', 'UNPROCESSABLE'],
  target: ({ keyId }) => (keyId ? { kind: 'api-key', id: keyId } : null),
  useCase: UpdateKey,
  view: (key, guide) => ({ view: changedApiKeyView(key, guide) }),
});

export const bulkRevokeApiKeys = operation({
  id: 'bulkRevokeApiKeys',
  words: {
    summary: 'Revoke many keys',
    description:
      'Either those that are named, all at once or none, or active ones that match every filter given, some at a time and at most 10,000 a call; an admin reaches the keys of its org alone. Filters spare the calling key, and keys that provisioning files manage. Refused, before anything is revoked, where an org would be left without an active admin key.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: 'admin:keys' }),
  input: BulkRevokeInput,
  output: BulkRevokedSchema,
  examples: {
    named: { keyIds: [IDS.key, IDS.newKey], reason: 'They were in a log.' },
    unused: {
      role: 'agent',
      neverUsed: true,
      createdBefore: '2026-01-01T00:00:00.000Z',
      reason: 'Never used.',
    },
  },
  result: {
    description: 'What was revoked',
    example: {
      revoked: 1,
      keyIds: [IDS.key],
      alreadyRevoked: [IDS.newKey],
      notFound: [],
      suggestion: KEYS_REVOKED,
      nextSteps: [LIST_KEYS],
    },
  },
  problems: ['FORBIDDEN', 'PROVISIONING_MANAGED'],
  useCase: BulkRevokeKeys,
  view: (revocation, guide) => ({ view: bulkRevokedView(revocation, guide) }),
});
