import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { createWebhook } from '../delivery/webhook-operations.ts';
import { createAgent } from '../identity/agent-admin-operations.ts';
import { mintApiKey } from '../identity/api-key-operations.ts';
import { createTrustedIssuer } from '../identity/issuer-operations.ts';
import { createOrg } from '../identity/org-operations.ts';
import { registerSchema } from '../record-type/operations.ts';
import type { Kind } from '../ports/kinds.ts';

const org = createOrg.input.properties;
const agent = createAgent.input.properties;
const apiKey = mintApiKey.input.properties;
const webhook = createWebhook.input.properties;
const issuer = createTrustedIssuer.input.properties;

const { pattern } = org.slug as unknown as { readonly pattern: string };
const SLUG = { pattern, maxLength: 64 };
const OrgSlug = Type.String({ ...SLUG, description: 'The slug of the org that it belongs to' });
const Key = Type.String({
  pattern: '^[a-z0-9]+([._-][a-z0-9]+)*$',
  maxLength: 64,
  description:
    'The name by which files call it: with the org it is one thing for ever, whichever file it stands in',
});

/** For editors; it decides nothing. */
const SCHEMA = { $schema: Type.Optional(Type.String({ maxLength: 2048 })) };

const document = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  Type.Object({ ...SCHEMA, ...properties }, { title, additionalProperties: false });

const owned = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  document(title, { org: OrgSlug, key: Key, ...properties });

const { orgId: _agentOrg, ...agentMembers } = agent;
const { ownerType: _ownerType, ownerId: _ownerId, ...keyMembers } = apiKey;
const { orgId: _schemaOrg, ...schemaMembers } = registerSchema.input.properties;
const { orgId: _webhookOrg, ...webhookMembers } = webhook;
const { orgId: _issuerOrg, ...issuerMembers } = issuer;

export const OrgDocument = document('An org', {
  slug: Type.String({ ...SLUG, description: 'Its natural key' }),
  name: org.name,
  settings: org.settings,
});
export const AgentDocument = owned('An agent', agentMembers);
export const ApiKeyDocument = owned('An API key', {
  agent: Type.String({
    maxLength: 64,
    description: 'The key of the document of its agent, in the same org',
  }),
  ...keyMembers,
});
export const SchemaDocument = owned('A record type', schemaMembers);
export const WebhookDocument = owned('A webhook of an org', {
  ...webhookMembers,
  isActive: Type.Optional(Type.Boolean({ default: true })),
});
export const IssuerDocument = document('A trusted issuer', {
  org: Type.Unsafe<string | null>({
    ...OrgSlug,
    type: ['string', 'null'],
    description: 'The slug of the org that it vouches for; null: the platform',
  }),
  key: Key,
  ...issuerMembers,
});

export interface Documents {
  orgs: Static<typeof OrgDocument>;
  agents: Static<typeof AgentDocument>;
  'api-keys': Static<typeof ApiKeyDocument>;
  schemas: Static<typeof SchemaDocument>;
  webhooks: Static<typeof WebhookDocument>;
  'trusted-issuers': Static<typeof IssuerDocument>;
}

/** One for each kind: made of the very members that the operations take. */
export const DOCUMENTS: { readonly [K in Kind]: TObject } = {
  orgs: OrgDocument,
  agents: AgentDocument,
  'api-keys': ApiKeyDocument,
  schemas: SchemaDocument,
  webhooks: WebhookDocument,
  'trusted-issuers': IssuerDocument,
};
