import { AT, IDS, LATER } from '../call/example-story.ts';

export const KEY_ROW = {
  keyId: IDS.key,
  ownerType: 'agent',
  ownerId: IDS.performer,
  orgId: IDS.org,
  role: 'agent',
  label: 'reporter, production',
  scopes: [
    'records:read',
    'completions:write',
    'disputes:write',
    'schemas:read',
    'reputation:read',
  ],
  scopeProfile: 'agent-performer',
  environment: 'live',
  isActive: true,
  allowedIps: null,
  expiresAt: null,
  deactivatesAt: null,
  createdAt: AT,
  lastUsedAt: null,
  createdByKeyId: null,
  rotatedFromKeyId: null,
  revokedAt: null,
  revokedByKeyId: null,
  revocationReason: null,
  managedBy: null,
};

export const MINTED_KEY = {
  keyId: IDS.key,
  apiKey: 'svc_agt_<43 characters and a checksum, shown only here>',
  role: 'agent',
  ownerType: 'agent',
  ownerId: IDS.performer,
  orgId: IDS.org,
  label: 'reporter, production',
  scopes: KEY_ROW.scopes,
  scopeProfile: 'agent-performer',
  environment: 'live',
  allowedIps: null,
  expiresAt: null,
  createdAt: AT,
  suggestion: 'Store the key now; it is not shown again.',
  nextSteps: [
    {
      action: 'whoami',
      operation: 'getWhoami',
      input: {},
      description: 'Call with the new key, to see what it may do',
    },
  ],
};

export const ROTATED_KEY = {
  ...MINTED_KEY,
  keyId: IDS.newKey,
  previousKeyId: IDS.key,
  previousKeyDeactivatesAt: LATER,
};

export const WHOAMI = {
  apiKeyId: IDS.key,
  role: 'agent',
  ownerId: IDS.performer,
  ownerType: 'agent',
  orgId: IDS.org,
  scopes: KEY_ROW.scopes,
  name: 'Reporter',
  authType: 'api_key',
  cert: null,
  oidc: null,
};
