import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { configFrom03 } from './push-config.ts';
import type { StreamEvent } from './task-stream.ts';
import { wireState, type TaskState, TASK_STATES } from './task.ts';

/**
 * A2A 0.3 (https://a2a-protocol.org/v0.3.0/specification), in terms of 1.0: other names of methods and states, a
 * discriminator `kind` in parts, messages and tasks, and results that are not wrapped. Whatever is of another form is passed
 * on as it is, to be refused as 1.0 refuses it.
 */
export const V03_METHODS = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
  'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
} as const;

/** The params as 1.0 has them. */
export const paramsFrom03 = (params: JsonObject): JsonObject => {
  const { message, configuration } = params;
  return {
    ...params,
    ...(isObject(message) ? { message: messageFrom03(message) } : {}),
    configuration: isObject(configuration ?? {})
      ? configurationFrom03((configuration ?? {}) as JsonObject)
      : configuration!,
  };
};

/** 0.3 waits only if it is asked to. */
const configurationFrom03 = ({
  pushNotificationConfig,
  blocking = false,
  ...rest
}: JsonObject): JsonObject => ({
  ...rest,
  returnImmediately: typeof blocking === 'boolean' ? !blocking : blocking,
  ...(pushNotificationConfig === undefined
    ? {}
    : { taskPushNotificationConfig: configFrom03(pushNotificationConfig) }),
});

const messageFrom03 = ({ kind: _, parts, role, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(role === undefined ? {} : { role: ROLES_03.get(role) ?? role }),
  ...(parts === undefined ? {} : { parts: Array.isArray(parts) ? parts.map(partFrom03) : parts }),
});

const ROLES_03: ReadonlyMap<JsonValue, string> = new Map([
  ['user', 'ROLE_USER'],
  ['agent', 'ROLE_AGENT'],
]);

const partFrom03 = (part: JsonValue): JsonValue => {
  if (!isObject(part)) return part;
  const { kind, file, ...rest } = part;
  if (kind !== 'file' || !isObject(file)) return rest;
  return { ...rest, raw: file['bytes'] ?? '', url: file['uri'] ?? '' };
};

/** A task as 0.3 shows it. */
export const taskTo03 = ({ status, artifacts, ...rest }: JsonObject): JsonObject => ({
  kind: 'task',
  ...rest,
  status: statusTo03(status as JsonObject),
  ...(Array.isArray(artifacts) ? { artifacts: artifacts.map(withParts03) } : {}),
});

const statusTo03 = ({ state, message, ...rest }: JsonObject): JsonObject => ({
  state: stateTo03(state as string),
  ...rest,
  ...(isObject(message) ? { message: messageTo03(message) } : {}),
});

/** A message as 0.3 shows it, also one whose parts come later. */
export const messageTo03 = (message: JsonObject): JsonObject => ({
  kind: 'message',
  ...withParts03(message),
  role: 'agent',
});

const withParts03 = (value: JsonValue): JsonObject => {
  const { parts, ...rest } = value as JsonObject;
  return Array.isArray(parts) ? { ...rest, parts: parts.map(partTo03) } : rest;
};

const partTo03 = (part: JsonValue): JsonObject => {
  const { text, data, raw, mediaType, filename } = part as JsonObject;
  if (text !== undefined) return { kind: 'text', text };
  if (data !== undefined) return { kind: 'data', data };
  return { kind: 'file', file: { bytes: raw!, mimeType: mediaType!, name: filename! } };
};

const STATES_03: ReadonlyMap<string, string> = new Map(
  TASK_STATES.map((state: TaskState) => [
    wireState(state),
    state.toLowerCase().replaceAll('_', '-'),
  ]),
);

const stateTo03 = (state: string): string => STATES_03.get(state) ?? 'unknown';

/** An event of a stream as 0.3 has it. */
export const eventTo03 = (event: StreamEvent): JsonObject => {
  if ('task' in event) return taskTo03(event.task);
  if ('message' in event) return messageTo03(event.message);
  if ('artifactUpdate' in event) {
    const { artifact, ...rest } = event.artifactUpdate;
    return { kind: 'artifact-update', ...rest, artifact: withParts03(artifact!) };
  }
  const { status, ...rest } = event.statusUpdate;
  return {
    kind: 'status-update',
    ...rest,
    status: statusTo03(status as JsonObject),
    final: event.isLast,
  };
};
