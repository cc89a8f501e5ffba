import { AT, IDS } from '../call/example-story.ts';
import { TRUSTED_ISSUER } from './issuer-example.ts';

export const CERT = {
  id: '019c1f00-0000-7000-8000-000000000021',
  orgId: IDS.org,
  agentId: IDS.performer,
  oidcIss: TRUSTED_ISSUER.issuerUrl,
  oidcSub: 'workload-7',
  publicKeyThumbprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  scopes: ['records:read', 'completions:write'],
  issuedAt: AT,
  expiresAt: '2026-01-31T12:10:00.000Z',
} as const;
