import { Type } from 'typebox';
import { operation } from '../call/operation.ts';
import { GetOpsSummary } from './get-ops-summary.ts';
import { GetSupportBundle } from './get-support-bundle.ts';
import { GetSystemHealth } from './get-system-health.ts';
import { OPS_SUMMARY, SYSTEM_HEALTH } from './health-examples.ts';
import {
  OpsSummarySchema,
  opsSummaryView,
  SystemHealthSchema,
  systemHealthView,
} from './health-view.ts';
import { SUPPORT_BUNDLE, SupportBundleSchema, supportBundleView } from './support-bundle-view.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const NOTHING = Type.Object({}, { additionalProperties: false });

export const getSystemHealth = operation({
  id: 'getSystemHealth',
  words: {
    summary: 'Whether the service is well, and what of it is not',
    description:
      'Every reason is of one closed table, and is a metric and an alert rule as well. What somebody did to the database is shown by the node that met it, for an hour.',
    group: 'Operations',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: NOTHING,
  output: SystemHealthSchema,
  result: {
    description: 'The health of this process and of what all share',
    example: SYSTEM_HEALTH,
  },
  useCase: GetSystemHealth,
  view: (health) => ({ view: systemHealthView(health) }),
});

export const getOpsSummary = operation({
  id: 'getOpsSummary',
  words: {
    summary: 'The status of the service and the posture of its vault',
    group: 'Operations',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: NOTHING,
  output: OpsSummarySchema,
  result: { description: 'At a glance', example: OPS_SUMMARY },
  useCase: GetOpsSummary,
  view: (summary) => ({ view: opsSummaryView(summary) }),
});

export const getSupportBundle = operation({
  id: 'getSupportBundle',
  words: {
    summary: 'What somebody who helps an operator asks for first',
    description: 'No secret is in it, and nothing that an org has here.',
    group: 'Operations',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: NOTHING,
  output: SupportBundleSchema,
  result: { description: 'The bundle, as one document', example: SUPPORT_BUNDLE },
  useCase: GetSupportBundle,
  view: (bundle) => ({ view: supportBundleView(bundle) }),
});
