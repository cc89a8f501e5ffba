import { AT, IDS } from '../call/example-story.ts';

export const TRUSTED_ISSUER = {
  id: '019c1f00-0000-7000-8000-000000000020',
  orgId: IDS.org,
  issuerUrl: 'https://login.acme.example',
  jwksUri: null,
  expectedAudience: 'https://notary.acme.example',
  appliesTo: 'agent',
  claimMapping: { scopes: 'scope', agent_id: 'agent_id', role: 'role' },
  maxCredentialTtlSeconds: 600,
  enabled: true,
  subjectAllowlist: [],
  requireProof: 'none',
  requireCoSignature: 'none',
  managedBy: null,
  createdAt: AT,
  updatedAt: AT,
} as const;
