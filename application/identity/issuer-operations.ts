import { IDS, pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { pageOf } from '../call/schemas.ts';
import { CreateIssuer } from './create-issuer.ts';
import { DeleteIssuer } from './delete-issuer.ts';
import { TRUSTED_ISSUER } from './issuer-example.ts';
import {
  CreateIssuerInput,
  IssuerInput,
  ListIssuersInput,
  UpdateIssuerInput,
} from './issuer-inputs.ts';
import {
  AGENTS_NEXT,
  ChangedIssuerSchema,
  DISABLED,
  DeletedIssuerSchema,
  FORGOTTEN,
  TrustedIssuerSchema,
  changedIssuerView,
  deletedIssuerView,
  trustedIssuerView,
} from './issuer-view.ts';
import { GetIssuer, ListIssuers } from './read-issuers.ts';
import { UpdateIssuer } from './update-issuer.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const VIEW_STEP = {
  action: 'view',
  operation: 'getTrustedIssuer',
  input: { issuerId: TRUSTED_ISSUER.id },
  description: 'Read the issuer',
};

export const createTrustedIssuer = operation({
  id: 'createTrustedIssuer',
  words: {
    summary: 'Trust an identity provider',
    description:
      'Its key set is fetched when its first token comes. An issuer with an orgId vouches for the agents of that org and at most for its admins; the role platform comes only from an issuer whose orgId is null.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: CreateIssuerInput,
  output: ChangedIssuerSchema,
  examples: {
    agents: {
      orgId: IDS.org,
      issuerUrl: TRUSTED_ISSUER.issuerUrl,
      expectedAudience: TRUSTED_ISSUER.expectedAudience,
    },
    admins: {
      orgId: IDS.org,
      issuerUrl: TRUSTED_ISSUER.issuerUrl,
      expectedAudience: 'notary-admin',
      appliesTo: 'admin',
      subjectAllowlist: ['alice@acme.example'],
      claimMapping: { role: '/resource_access/notary/role' },
    },
  },
  result: {
    description: 'The issuer',
    example: { ...TRUSTED_ISSUER, suggestion: AGENTS_NEXT, nextSteps: [VIEW_STEP] },
  },
  problems: ['UNPROCESSABLE', 'CONFLICT'],
  useCase: CreateIssuer,
  view: (issuer, guide) => ({ view: changedIssuerView(issuer, guide) }),
});

export const listTrustedIssuers = listing({
  id: 'listTrustedIssuers',
  words: { summary: 'List trusted identity providers, newest first', group: 'Administration' },
  access: () => PLATFORM,
  input: ListIssuersInput,
  output: pageOf(TrustedIssuerSchema),
  result: { description: 'A page of issuers', example: pageExample(TRUSTED_ISSUER) },
  useCase: ListIssuers,
  concerns: ({ rows }) => ({ orgs: rows.map(({ orgId }) => orgId) }),
  view: (slice, guide) => pageView(slice, guide, trustedIssuerView),
});

export const getTrustedIssuer = operation({
  id: 'getTrustedIssuer',
  words: { summary: 'Read a trusted identity provider', group: 'Administration' },
  effect: 'read',
  access: () => PLATFORM,
  input: IssuerInput,
  output: TrustedIssuerSchema,
  result: { description: 'The issuer', example: TRUSTED_ISSUER },
  useCase: GetIssuer,
  concerns: ({ orgId }) => ({ orgs: [orgId] }),
  target: ({ issuerId }) => (issuerId ? { kind: 'trusted-issuer', id: issuerId } : null),
  view: (issuer) => ({ view: trustedIssuerView(issuer) }),
});

export const updateTrustedIssuer = operation({
  id: 'updateTrustedIssuer',
  words: {
    summary: 'Change how far an identity provider is trusted',
    description:
      'orgId, issuerUrl and appliesTo stay as they were registered. Certificates that were given before are as good as they were; revoke-certs ends them.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: UpdateIssuerInput,
  output: ChangedIssuerSchema,
  examples: {
    disable: { issuerId: TRUSTED_ISSUER.id, changes: { enabled: false } },
    allow: {
      issuerId: TRUSTED_ISSUER.id,
      changes: { subjectAllowlist: ['alice@acme.example', 'bob@acme.example'] },
    },
  },
  result: {
    description: 'The issuer',
    example: { ...TRUSTED_ISSUER, enabled: false, suggestion: DISABLED, nextSteps: [VIEW_STEP] },
  },
  problems: ['UNPROCESSABLE', 'CONFLICT', 'PROVISIONING_MANAGED'],
  target: ({ issuerId }) => (issuerId ? { kind: 'trusted-issuer', id: issuerId } : null),
  useCase: UpdateIssuer,
  view: (issuer, guide) => ({ view: changedIssuerView(issuer, guide) }),
});

export const deleteTrustedIssuer = operation({
  id: 'deleteTrustedIssuer',
  words: {
    summary: 'Forget an identity provider that never gave a certificate',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: IssuerInput,
  output: DeletedIssuerSchema,
  result: {
    description: 'Forgotten',
    example: { id: TRUSTED_ISSUER.id, deleted: true, suggestion: FORGOTTEN, nextSteps: [] },
  },
  problems: ['ROW_HAS_DEPENDENT_RECORDS', 'PROVISIONING_MANAGED'],
  target: ({ issuerId }) => (issuerId ? { kind: 'trusted-issuer', id: issuerId } : null),
  useCase: DeleteIssuer,
  view: (issuer, guide) => ({ view: deletedIssuerView(issuer, guide) }),
});
