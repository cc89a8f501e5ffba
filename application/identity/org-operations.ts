import { Type } from 'typebox';
import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { line, PAGE_INPUT, Uuid, pageOf } from '../call/schemas.ts';
import { MINTED_KEY } from './credential-examples.ts';
import { CreateOrg } from './create-org.ts';
import { ListOrgs } from './list-orgs.ts';
import { ORG } from './org-example.ts';
import { OrgSettingsInput } from './org-settings.ts';
import {
  ChangedOrgSchema,
  CreatedOrgSchema,
  OrgSchema,
  SUGGESTIONS,
  changedOrgView,
  createdOrgView,
  orgView,
} from './org-view.ts';
import { UpdateOrg } from './update-org.ts';

export const createOrg = operation({
  id: 'createOrg',
  words: {
    summary: 'Open an org, with bootstrapAdmin also its first admin key',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: null, roles: ['platform'] }),
  input: Type.Object(
    {
      name: line({ minLength: 1, maxLength: 256 }),
      slug: Type.Optional(
        Type.String({
          pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
          maxLength: 64,
          description: `Unique, and the default publisher label of the org, such as ${ORG.slug}`,
        }),
      ),
      bootstrapAdmin: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Also create an admin agent and mint its key',
        }),
      ),
      settings: Type.Optional(OrgSettingsInput),
    },
    { additionalProperties: false, examples: [{ name: 'Acme', slug: 'acme' }] },
  ),
  output: CreatedOrgSchema,
  examples: { withAdmin: { name: 'Acme', slug: 'acme', bootstrapAdmin: true } },
  result: {
    description: 'The org',
    example: {
      ...ORG,
      bootstrapKey: { ...MINTED_KEY, role: 'admin', scopeProfile: 'admin-standard' },
      suggestion: 'Create its agents.',
      nextSteps: [
        {
          action: 'create-agent',
          operation: 'createAgent',
          input: {},
          description: 'Create an agent of the org',
        },
      ],
    },
  },
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  secrets: ['apiKey'],
  useCase: CreateOrg,
  view: (created, guide) => ({ view: createdOrgView(created, guide) }),
});

export const updateOrg = operation({
  id: 'updateOrg',
  words: {
    summary: 'Change the settings of an org',
    description:
      'For an admin key that of its own org. It holds on every node within a second, and is sealed. An org that demands co-signatures stays open to whoever governs it, so that it can take its demand back.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => ({ scope: 'admin:keys', roles: ['platform', 'admin'] }),
  input: Type.Object({ orgId: Uuid, settings: OrgSettingsInput }, { additionalProperties: false }),
  output: ChangedOrgSchema,
  examples: { demand: { orgId: ORG.id, settings: { requireCoSignature: 'request' } } },
  result: {
    description: 'The org',
    example: {
      ...ORG,
      settings: { requireCoSignature: 'request' },
      suggestion: SUGGESTIONS.request,
      nextSteps: [
        {
          action: 'list',
          operation: 'listOrgs',
          input: {},
          description: 'Read the org with its settings',
        },
      ],
    },
  },
  problems: ['PROVISIONING_MANAGED'],
  target: ({ orgId }) => (orgId ? { kind: 'org', id: orgId } : null),
  useCase: UpdateOrg,
  view: (org, guide) => ({ view: changedOrgView(org, guide) }),
});

export const listOrgs = listing({
  id: 'listOrgs',
  words: {
    summary: 'List orgs: all of them for a platform key, its own one for an admin key',
    group: 'Administration',
  },
  access: () => ({ scope: null, roles: ['platform', 'admin'] }),
  input: Type.Object(PAGE_INPUT, { additionalProperties: false }),
  output: pageOf(OrgSchema),
  result: { description: 'A page of orgs', example: pageExample(ORG) },
  useCase: ListOrgs,
  concerns: ({ rows }) => ({ orgs: rows.map(({ id }) => id) }),
  view: (slice, guide) => pageView(slice, guide, orgView),
});
