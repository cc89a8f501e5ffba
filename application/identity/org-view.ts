import { Type } from 'typebox';
import type { Org } from '../../domain/identity/org.ts';
import { IDS } from '../call/example-story.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, JsonObjectSchema, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { MintedApiKeySchema, mintedApiKeyView } from './api-key-view.ts';
import type { CreatedOrg } from './create-org.ts';

const ORG_MEMBERS = {
  id: { ...Uuid, examples: [IDS.org] },
  name: Type.String(),
  slug: Type.String(),
  createdAt: Timestamp,
  managedBy: nullable(oneOf(['provisioning'])),
  settings: { ...JsonObjectSchema, description: 'No org has a setting of its own yet' },
};

export const OrgSchema = Type.Object(ORG_MEMBERS);

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
  settings: {},
});

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
