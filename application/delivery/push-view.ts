import { Type } from 'typebox';
import { isActive, type Subscription } from '../../domain/delivery/subscription.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

const MEMBERS = {
  configId: Type.String(),
  recordId: Uuid,
  url: Type.String(),
  authScheme: nullable(Type.String()),
  protocolVersion: oneOf(['1.0', '0.3']),
  isActive: Type.Boolean({
    description: 'False after an answer of 410, and after 72 hours without success',
  }),
  createdAt: Timestamp,
};

export const PushConfigSchema = Type.Object(MEMBERS);
export const PushConfigsSchema = Type.Object({ data: Type.Array(PushConfigSchema) });
export const ChangedPushConfigSchema = Type.Object({ ...MEMBERS, ...GUIDANCE });
export const DeletedPushConfigSchema = Type.Object({
  configId: Type.String(),
  deleted: Type.Literal(true),
  ...GUIDANCE,
});

/** Token and credentials are never shown. */
export const pushConfigView = (config: Subscription): ViewOf<typeof PushConfigSchema> => {
  const { url, createdAt, recordId, push } = config;
  if (recordId === null || push === null) throw new TypeError('a webhook is no push configuration');
  return {
    configId: push.configId,
    recordId,
    url,
    authScheme: push.authScheme,
    protocolVersion: push.version,
    isActive: isActive(config),
    createdAt,
  };
};

export const SET = 'Each change of the task is sent there from now on.';
export const DELETED = 'Nothing is sent there any more.';

const step = (recordId: string) => ({
  action: 'read-task',
  operation: 'getRecord',
  input: { recordId },
  description: 'Read the task as it is now',
});

export const changedPushConfigView = (
  config: Subscription,
  guide: Guide,
): ViewOf<typeof ChangedPushConfigSchema> => {
  const view = pushConfigView(config);
  return { ...view, suggestion: SET, nextSteps: guide.steps(step(view.recordId)) };
};

export interface DeletedPushConfig {
  readonly recordId: string;
  readonly configId: string;
}

export const deletedPushConfigView = (
  { recordId, configId }: DeletedPushConfig,
  guide: Guide,
): ViewOf<typeof DeletedPushConfigSchema> => ({
  configId,
  deleted: true,
  suggestion: DELETED,
  nextSteps: guide.steps(step(recordId)),
});
