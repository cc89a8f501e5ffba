import {
  deletePushConfig,
  getPushConfig,
  listPushConfigs,
  setPushConfig,
} from '../../application/delivery/push-operations.ts';
import { missingScope, scopesOf } from '../../application/call/access.ts';
import type { InputCheck } from '../../application/call/input-check.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { A2aVersion } from './spoken-versions.ts';
import { checkOf, type Checked } from './params.ts';
import type { PushConfigMessage } from './push-config.ts';
import {
  configTo03,
  configTo10,
  inputOf,
  ListPushParams,
  PushParams,
  pushParamsFrom03,
  SetPushParams,
  setParamsFrom03,
  type PushConfigIn,
  type ShownPushConfig,
} from './push-config.ts';
import type { RpcCall } from './rpc-call.ts';
import { recordIdOf } from './task-methods.ts';

type PushMethod = (
  call: RpcCall,
  params: JsonObject,
) => Promise<JsonObject | readonly JsonObject[] | null>;

/** Push configurations, by the names of 1.0. */
export interface PushMethods {
  readonly CreateTaskPushNotificationConfig: PushMethod;
  readonly GetTaskPushNotificationConfig: PushMethod;
  readonly ListTaskPushNotificationConfigs: PushMethod;
  readonly DeleteTaskPushNotificationConfig: PushMethod;
}

export const pushMethodsOf = (
  inputs: InputCheck,
): { readonly [version in A2aVersion]: PushMethods } => {
  const set = checkOf(inputs, SetPushParams, 'The params');
  const one = checkOf(inputs, PushParams, 'The params');
  const list = checkOf(inputs, ListPushParams, 'The params');
  const forms = { '1.0': configTo10, '0.3': configTo03 } as const;
  const methods = (version: A2aVersion): PushMethods => {
    const show = forms[version];
    return {
      CreateTaskPushNotificationConfig: async (call, params) => {
        const { taskId, ...config } = set(params);
        return show(await setConfig(call, recordIdOf(taskId), config, version));
      },
      GetTaskPushNotificationConfig: async (call, params) => {
        const { taskId, id } = one(params);
        return show(await found(call, recordIdOf(taskId), id));
      },
      ListTaskPushNotificationConfigs: async (call, params) => {
        const configs = await listed(call, recordIdOf(list(params).taskId));
        return version === '1.0'
          ? { configs: configs.map(show), nextPageToken: '' }
          : configs.map(show);
      },
      DeleteTaskPushNotificationConfig: async (call, params) => {
        const { taskId, id } = one(params);
        const input = { recordId: recordIdOf(taskId), ...(id ? { configId: id } : {}) };
        await call.perform(deletePushConfig, input);
        return version === '1.0' ? {} : null;
      },
    };
  };
  const [v10, v03] = [methods('1.0'), methods('0.3')];
  return {
    '1.0': v10,
    '0.3': {
      CreateTaskPushNotificationConfig: (call, params) =>
        v03.CreateTaskPushNotificationConfig(call, setParamsFrom03(params)),
      GetTaskPushNotificationConfig: (call, params) =>
        v03.GetTaskPushNotificationConfig(call, pushParamsFrom03(params)),
      ListTaskPushNotificationConfigs: (call, params) =>
        v03.ListTaskPushNotificationConfigs(call, pushParamsFrom03(params)),
      DeleteTaskPushNotificationConfig: (call, params) =>
        v03.DeleteTaskPushNotificationConfig(call, pushParamsFrom03(params)),
    },
  };
};

const setConfig = async (
  call: RpcCall,
  recordId: string,
  config: PushConfigIn,
  protocolVersion: A2aVersion,
  key?: string,
): Promise<ShownPushConfig> => {
  if (call.isBatched) assertNotSigned(call, config);
  call.exchange.recordId = recordId;
  const input = { recordId, ...inputOf(config), protocolVersion };
  const { shown } = await call.perform(setPushConfig, input, { key });
  return shown.view as ShownPushConfig;
};

const found = async (
  call: RpcCall,
  recordId: string,
  configId: string | undefined,
): Promise<ShownPushConfig> => {
  if (configId) {
    const { shown } = await call.perform(getPushConfig, { recordId, configId });
    return shown.view as ShownPushConfig;
  }
  const [first] = await listed(call, recordId);
  if (!first) throw notFound('push configuration');
  return first;
};

const listed = async (call: RpcCall, recordId: string): Promise<readonly ShownPushConfig[]> => {
  const { shown } = await call.perform(listPushConfigs, { recordId });
  return (shown.view as { readonly data: readonly ShownPushConfig[] }).data;
};

/** The configuration that a message brings along. */
export interface MessagePush {
  readonly config: PushConfigIn;
  readonly version: A2aVersion;
}

/** Reads it, and refuses before anything is done what could only fail afterwards. */
export const messagePush = (
  call: RpcCall,
  config: unknown,
  version: A2aVersion,
  check: Checked<typeof PushConfigMessage>,
): MessagePush | null => {
  if (config === undefined || config === null) return null;
  const checked = check(config);
  assertNotSigned(call, checked);
  const access = setPushConfig.access({});
  if (!call.mayCall(setPushConfig))
    throw missingScope(scopesOf(access), call.caller?.role ?? 'agent');
  return { config: checked, version };
};

/** Under the id of the message it acts once, as the message does. */
export const setMessagePush = async (
  call: RpcCall,
  { config, version }: MessagePush,
  recordId: string,
  messageId: string,
): Promise<void> => {
  await setConfig(call, recordIdOf(recordId), config, version, messageId);
};

/** What acts on a record and is co-signed is kept as it was sent, for whoever verifies it: nothing secret may stand in it. */
const assertNotSigned = (call: RpcCall, { token, authentication }: PushConfigIn): void => {
  if (!call.isCoSigned || (!token && !authentication?.credentials)) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    'A co-signed request is kept and shown with its record, so it must hold no token and no credentials.',
    { suggestion: 'Set the push configuration in a request of its own, without a co-signature.' },
  );
};
