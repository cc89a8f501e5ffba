import { Type } from 'typebox';
import type { CoSignatureDemand } from '../../domain/identity/co-signature-demand.ts';
import type { Org } from '../../domain/identity/org.ts';
import { IDS } from '../call/example-story.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { MintedApiKeySchema, mintedApiKeyView } from './api-key-view.ts';
import type { CreatedOrg } from './create-org.ts';
import { OrgSettingsSchema } from './org-settings.ts';

const ORG_MEMBERS = {
  id: { ...Uuid, examples: [IDS.org] },
  name: Type.String(),
  slug: Type.String(),
  createdAt: Timestamp,
  managedBy: nullable(oneOf(['provisioning'])),
  settings: OrgSettingsSchema,
};

export const OrgSchema = Type.Object(ORG_MEMBERS);

/** An org whose settings were changed. */
export const ChangedOrgSchema = Type.Object({ ...ORG_MEMBERS, ...GUIDANCE });

/** An org that was opened a moment ago. */
export const CreatedOrgSchema = Type.Object({
  ...ORG_MEMBERS,
  bootstrapKey: Type.Optional(MintedApiKeySchema),
  ...GUIDANCE,
});

export const orgView = (org: Org): ViewOf<typeof OrgSchema> => ({
  id: org.id,
  name: org.name,
  slug: org.slug,
  createdAt: org.createdAt,
  managedBy: org.managedBy,
  settings: { ...org.settings },
});

export const changedOrgView = (org: Org, guide: Guide): ViewOf<typeof ChangedOrgSchema> => ({
  ...orgView(org),
  suggestion: SUGGESTIONS[org.settings.requireCoSignature],
  nextSteps: guide.steps({
    action: 'list',
    operation: 'listOrgs',
    input: {},
    description: 'Read the org with its settings',
  }),
});

/** Also in the example of the answer. */
export const SUGGESTIONS: Readonly<Record<CoSignatureDemand, string>> = {
  none: 'Requests of the org need no co-signature, unless the issuer of a certificate demands one.',
  body: 'Let the agents of the org exchange tokens for certificates at POST /v1/auth/oidc/cert, sign the body of each write, and the whole request where a record is created. API keys of the org can read, and govern it.',
  request:
    'Let the agents of the org exchange tokens for certificates at POST /v1/auth/oidc/cert and sign each request (RFC 9421). API keys and tokens of administrators can govern the org, and nothing else.',
};

export const createdOrgView = (
  { org, bootstrap }: CreatedOrg,
  guide: Guide,
): ViewOf<typeof CreatedOrgSchema> => ({
  ...orgView(org),
  ...(bootstrap ? { bootstrapKey: mintedApiKeyView(bootstrap, guide) } : {}),
  suggestion: bootstrap
    ? 'Store the admin key now, and create the agents of the org with it.'
    : 'Create an agent of the org, and mint its key.',
  nextSteps: guide.steps(
    {
      action: 'create-agent',
      operation: 'createAgent',
      input: {},
      description: 'Create an agent of the org',
    },
    {
      action: 'mint-key',
      operation: 'mintApiKey',
      input: {},
      description: 'Mint a key for an agent of the org',
    },
  ),
});
