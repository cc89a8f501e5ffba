import { Type } from 'typebox';
import type { Org } from '../../../domain/identity/org.ts';
import { route, type Route } from '../../http/route.ts';
import { IDS, MINTED_KEY, ORG, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, JsonObjectSchema, Timestamp, Uuid, nullable, oneOf, pageOf } from '../wire.ts';
import { MintedKeySchema, presentMintedKey } from './key-presenter.ts';

export const adminOrgRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/orgs',
    operationId: 'createOrg',
    summary: 'Open an org, with bootstrapAdmin also its first admin key',
    tag: 'Administration',
    access: { scope: null, roles: ['platform'] },
    body: CreateOrgBody,
    secret: true,
    examples: { withAdmin: { name: 'Acme', slug: 'acme', bootstrapAdmin: true } },
    answers: {
      201: {
        description: 'The org',
        schema: CreatedOrgSchema,
        example: {
          ...ORG,
          bootstrapKey: { ...MINTED_KEY, role: 'admin', scopeProfile: 'admin-standard' },
          suggestion: 'Create its agents.',
          nextSteps: [
            {
              action: 'create-agent',
              method: 'POST',
              href: '/v1/admin/agents',
              description: 'Create an agent of the org',
            },
          ],
        },
      },
    },
    problems: ['CONFLICT', 'UNPROCESSABLE'],
    execute: (context, { body }) => useCases.createOrg.execute(context, body),
    present: ({ org, bootstrap }, view) => ({
      status: 201,
      body: {
        ...presentOrg(org),
        ...(bootstrap ? { bootstrapKey: presentMintedKey(bootstrap, view) } : {}),
        suggestion: bootstrap
          ? 'Store the admin key now, and create the agents of the org with it.'
          : 'Create an agent of the org, and mint its key.',
        nextSteps: stepsTo(
          view,
          ['create-agent', 'createAgent', 'Create an agent of the org'],
          ['mint-key', 'mintApiKey', 'Mint a key for an agent of the org'],
        ),
      },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/orgs',
    operationId: 'listOrgs',
    summary: 'List orgs: all of them for a platform key, its own one for an admin key',
    tag: 'Administration',
    access: { scope: null, roles: ['platform', 'admin'] },
    paged: true,
    answers: {
      200: { description: 'A page of orgs', schema: pageOf(OrgSchema), example: pageExample(ORG) },
    },
    execute: (context, { slice }) => useCases.listOrgs.execute(context, { slice }),
    present: (slice, view) => presentPage(slice, view, presentOrg),
  }),
];

const CreateOrgBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    slug: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
        maxLength: 64,
        description: `Unique, and the default publisher label of the org, such as ${ORG.slug}`,
      }),
    ),
    bootstrapAdmin: Type.Optional(
      Type.Boolean({ default: false, description: 'Also create an admin agent and mint its key' }),
    ),
  },
  { additionalProperties: false, examples: [{ name: 'Acme', slug: 'acme' }] },
);

const ORG_MEMBERS = {
  id: { ...Uuid, examples: [IDS.org] },
  name: Type.String(),
  slug: Type.String(),
  createdAt: Timestamp,
  managedBy: nullable(oneOf(['provisioning'])),
  settings: { ...JsonObjectSchema, description: 'No org has a setting of its own yet' },
};

const OrgSchema = Type.Object(ORG_MEMBERS);
const CreatedOrgSchema = Type.Object({
  ...ORG_MEMBERS,
  bootstrapKey: Type.Optional(MintedKeySchema),
  ...GUIDANCE,
});

const presentOrg = (org: Org): object => ({
  id: org.id,
  name: org.name,
  slug: org.slug,
  createdAt: org.createdAt,
  managedBy: org.managedBy,
  settings: {},
});
