import { AT, IDS } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { recordTarget } from '../record/record-target.ts';
import { DeletePushConfig } from './delete-push-config.ts';
import { GetPushConfig } from './get-push-config.ts';
import { ListPushConfigs } from './list-push-configs.ts';
import { PushConfigInput, PushConfigsInput, SetPushConfigInput } from './push-inputs.ts';
import {
  ChangedPushConfigSchema,
  changedPushConfigView,
  DELETED,
  DeletedPushConfigSchema,
  deletedPushConfigView,
  PushConfigSchema,
  PushConfigsSchema,
  pushConfigView,
  SET,
} from './push-view.ts';
import { SetPushConfig } from './set-push-config.ts';

const GROUP = 'Webhooks';
const WRITE = { scope: 'webhooks:write' } as const;
const READ = { scope: 'webhooks:read' } as const;
const CONFIG = {
  configId: 'mine',
  recordId: IDS.record,
  url: 'https://agent.example.com/notifications',
  authScheme: 'Bearer',
  protocolVersion: '1.0',
  isActive: true,
  createdAt: AT,
} as const;
const NEXT_STEPS = [
  {
    action: 'read-task',
    operation: 'getRecord',
    input: { recordId: IDS.record },
    description: 'Read the task as it is now',
  },
];

export const setPushConfig = operation({
  id: 'setPushConfig',
  words: {
    summary: 'Have a receiver told each change of one task',
    description:
      'A party of the record has at most ten. What waits goes to the new receiver where one is replaced. It ends 30 days after the last change that the record may meet.',
    group: GROUP,
  },
  effect: 'write',
  access: () => WRITE,
  input: SetPushConfigInput,
  output: ChangedPushConfigSchema,
  examples: {
    bearer: {
      recordId: IDS.record,
      url: CONFIG.url,
      authScheme: 'Bearer',
      credentials: 'what-the-receiver-expects',
      protocolVersion: '1.0',
    },
  },
  result: {
    description: 'The push configuration',
    example: { ...CONFIG, suggestion: SET, nextSteps: NEXT_STEPS },
  },
  problems: ['UNPROCESSABLE', 'NOT_FOUND', 'FORBIDDEN'],
  target: ({ recordId }) => (recordId ? { kind: 'push-configuration', id: recordId } : null),
  useCase: SetPushConfig,
  view: (config, guide) => ({ view: changedPushConfigView(config, guide) }),
});

export const getPushConfig = operation({
  id: 'getPushConfig',
  words: { summary: 'Read a push configuration', group: GROUP },
  effect: 'read',
  access: () => READ,
  input: PushConfigInput,
  output: PushConfigSchema,
  examples: { one: { recordId: IDS.record, configId: 'mine' } },
  result: { description: 'The push configuration', example: CONFIG },
  problems: ['NOT_FOUND', 'FORBIDDEN'],
  useCase: GetPushConfig,
  concerns: ({ orgId }) => ({ orgs: [orgId] }),
  target: recordTarget,
  view: (config) => ({ view: pushConfigView(config) }),
});

export const listPushConfigs = operation({
  id: 'listPushConfigs',
  words: { summary: 'List the push configurations of the caller at a record', group: GROUP },
  effect: 'read',
  access: () => READ,
  input: PushConfigsInput,
  output: PushConfigsSchema,
  result: { description: 'The push configurations', example: { data: [CONFIG] } },
  problems: ['NOT_FOUND', 'FORBIDDEN'],
  useCase: ListPushConfigs,
  concerns: (configs) => ({ orgs: configs.map(({ orgId }) => orgId) }),
  target: recordTarget,
  view: (configs) => ({ view: { data: configs.map(pushConfigView) } }),
});

export const deletePushConfig = operation({
  id: 'deletePushConfig',
  words: { summary: 'Delete a push configuration', group: GROUP },
  effect: 'write',
  access: () => WRITE,
  input: PushConfigInput,
  output: DeletedPushConfigSchema,
  examples: { one: { recordId: IDS.record, configId: 'mine' } },
  result: {
    description: 'Deleted',
    example: { configId: 'mine', deleted: true, suggestion: DELETED, nextSteps: NEXT_STEPS },
  },
  problems: ['NOT_FOUND', 'FORBIDDEN'],
  target: ({ recordId }) => (recordId ? { kind: 'push-configuration', id: recordId } : null),
  useCase: DeletePushConfig,
  view: (deleted, guide) => ({ view: deletedPushConfigView(deleted, guide) }),
});
