import { Type, type Static } from 'typebox';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';

/** The params of the push methods, as A2A 1.0 has them. */
const Id = Type.String({ maxLength: 256 });

/** Without its task, as a message brings it along. Empty texts stand for nothing: libraries send them. */
export const PushConfigMessage = Type.Object({
  id: Type.Optional(Id),
  url: Type.String({ maxLength: 2048 }),
  token: Type.Optional(Type.String()),
  authentication: Type.Optional(
    Type.Object({
      scheme: Type.Optional(Type.String()),
      credentials: Type.Optional(Type.String()),
    }),
  ),
});
export type PushConfigIn = Static<typeof PushConfigMessage>;

export const SetPushParams = Type.Object({ ...PushConfigMessage.properties, taskId: Id });
/** 0.3 may leave out the id: then the first one is meant. */
export const PushParams = Type.Object({ taskId: Id, id: Type.Optional(Id) });
/** All of them fit into a page. */
export const ListPushParams = Type.Object({
  taskId: Id,
  pageSize: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  pageToken: Type.Optional(Type.String({ maxLength: 1024 })),
});

/** What the operation takes of it, but for record and version. */
export const inputOf = ({ id, url, token, authentication }: PushConfigIn): JsonObject => ({
  url,
  ...given('configId', id),
  ...given('token', token),
  ...given('authScheme', authentication?.scheme),
  ...given('credentials', authentication?.credentials),
});

const given = (name: string, value: string | undefined): JsonObject =>
  value ? { [name]: value } : {};

/** A configuration as an operation shows it. Token and credentials are in none. */
export interface ShownPushConfig {
  readonly configId: string;
  readonly recordId: string;
  readonly url: string;
  readonly authScheme: string | null;
}

export const configTo10 = ({
  configId,
  recordId,
  url,
  authScheme,
}: ShownPushConfig): JsonObject => ({
  id: configId,
  taskId: recordId,
  url,
  ...(authScheme === null ? {} : { authentication: { scheme: authScheme } }),
});

/** As 0.3 has it: the task beside the configuration, and a list of schemes. */
export const configTo03 = ({
  configId,
  recordId,
  url,
  authScheme,
}: ShownPushConfig): JsonObject => ({
  taskId: recordId,
  pushNotificationConfig: {
    id: configId,
    url,
    ...(authScheme === null ? {} : { authentication: { schemes: [authScheme] } }),
  },
});

/** In terms of 1.0. What is of another form is passed on, to be refused as 1.0 refuses it. */
export const configFrom03 = (config: JsonValue): JsonValue => {
  if (!isObject(config) || !isObject(config['authentication'])) return config;
  const { schemes, ...rest } = config['authentication'];
  const scheme = Array.isArray(schemes) ? schemes[0] : schemes;
  return { ...config, authentication: { ...rest, ...(scheme === undefined ? {} : { scheme }) } };
};

export const setParamsFrom03 = ({ pushNotificationConfig, ...rest }: JsonObject): JsonObject => {
  const config = pushNotificationConfig === undefined ? {} : configFrom03(pushNotificationConfig);
  return isObject(config) ? { ...config, ...rest } : { ...rest, url: config };
};

export const pushParamsFrom03 = ({
  id,
  pushNotificationConfigId,
  ...rest
}: JsonObject): JsonObject => ({
  ...rest,
  ...(id === undefined ? {} : { taskId: id }),
  ...(pushNotificationConfigId === undefined ? {} : { id: pushNotificationConfigId }),
});
