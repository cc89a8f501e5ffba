import { AT, IDS, LATER } from '../call/example-story.ts';
import { REFERENCE_BODY } from '../record/examples.ts';

const PUBLIC_JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** The Ed25519 key of RFC 8037 appendix A; the proof is by it. */
export const SIGNING_KEY = {
  thumbprint: '866eefbd6718c8846cd7ddfe43fc74ab1daac4538ff8514ea2ec2d410a415743',
  algorithm: 'Ed25519',
  publicKeyJwk: PUBLIC_JWK,
  coseKey: 'pAEBAycgBiFYINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea',
  issuers: ['https://reporter.example'],
  addedAt: LATER,
  revokedAt: null,
};
export const SIGNING_KEY_BODY = {
  publicKeyJwk: PUBLIC_JWK,
  proofOfPossession:
    '8dB1rqxYVY0f9STY5lQ7p8QoQLZyigujVgQEhUFxQK6M+ryHOPCe9T3gc8VfYkxZj1+vkgSttiZI8d3oONTNAA==',
  issuers: SIGNING_KEY.issuers,
};

/** The X25519 key of RFC 8037 appendix A.6. */
export const ENCRYPTION_KEY_BODY = {
  publicKeyJwk: { kty: 'OKP', crv: 'X25519', x: '3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08' },
};
export const ENCRYPTION_JWK = {
  ...ENCRYPTION_KEY_BODY.publicKeyJwk,
  kid: 'giQqigT_IKcuzHl0FVJ3k5ts3_TWNAxvsC08UZsfcM8',
  use: 'enc',
};

export const AGENT_REFERENCE = {
  id: IDS.reference,
  agentId: IDS.performer,
  ...REFERENCE_BODY,
  addedBy: { kind: 'admin', agentId: IDS.principal, apiKeyId: IDS.key },
  addedAt: LATER,
};

export const AGENT = {
  id: IDS.performer,
  orgId: IDS.org,
  name: 'reporter',
  displayName: 'Reporter',
  capabilities: ['report.weekly'],
  signingKeys: [SIGNING_KEY],
  encryptionKeyJwk: ENCRYPTION_JWK,
  references: [AGENT_REFERENCE],
  deactivatedAt: null,
  deactivationReason: null,
  managedBy: null,
  createdAt: AT,
};
