import { Type } from 'typebox';
import { AT, IDS } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { GetProvisioningStatus } from './get-provisioning-status.ts';
import {
  COLLECT,
  IN_LINE,
  READ_STATUS,
  RELOAD,
  ReloadSchema,
  reloadView,
  StatusSchema,
  statusView,
} from './provisioning-view.ts';
import { ReloadProvisioning } from './reload-provisioning.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const NOTHING = { created: 0, updated: 0, pruned: 0 };

export const reloadProvisioning = operation({
  id: 'reloadProvisioning',
  words: {
    summary: 'Read the provisioning files again and apply them',
    description:
      'Every document that differs from what there is goes through the operation that a caller would call, as the service itself, and is sealed as that. A file that is wrong is listed in errors and holds up no other. The same files again change nothing.',
    group: 'Administration',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({}, { additionalProperties: false }),
  output: ReloadSchema,
  result: {
    description: 'What was done, by kind',
    example: {
      dryRun: false,
      orgs: NOTHING,
      agents: { created: 2, updated: 1, pruned: 0 },
      schemas: NOTHING,
      trustedIssuers: NOTHING,
      webhooks: { ...NOTHING, generated: [] },
      apiKeys: {
        created: 1,
        skipped: 4,
        pruned: 0,
        generated: [
          { keyId: IDS.key, label: 'clerk', file: '/run/notary-secrets/acme.clerk.api-key' },
        ],
      },
      errors: [],
      suggestion: COLLECT,
      nextSteps: [READ_STATUS],
    },
  },
  problems: ['UNPROCESSABLE', 'SERVICE_UNAVAILABLE'],
  useCase: ReloadProvisioning,
  view: (report, guide) => ({ view: reloadView(report, guide) }),
});

export const getProvisioningStatus = operation({
  id: 'getProvisioningStatus',
  words: {
    summary: 'What provisioning files manage, and what is wrong with them',
    group: 'Administration',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: Type.Object({}, { additionalProperties: false }),
  output: StatusSchema,
  result: {
    description: 'The state of provisioning',
    example: {
      configured: true,
      configPath: '/etc/notary/provisioning',
      dryRun: false,
      prune: true,
      lastReloadAt: AT,
      managed: { orgs: 1, agents: 12, apiKeys: 12, schemas: 3, webhooks: 1, trustedIssuers: 1 },
      loadErrors: [],
      suggestion: IN_LINE,
      nextSteps: [RELOAD],
    },
  },
  useCase: GetProvisioningStatus,
  view: (status, guide) => ({ view: statusView(status, guide) }),
});
