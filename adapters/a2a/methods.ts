import type { InputCheck } from '../../application/call/input-check.port.ts';
import { getRecord } from '../../application/record/operations.ts';
import type { SignDocument } from '../../application/sealing/sign-document.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { CardSettings } from './agent-card.ts';
import type { A2aVersion } from './spoken-versions.ts';
import { AwaitedTask } from './awaited-task.ts';
import { ExtendedCards } from './extended-cards.ts';
import { isDraft } from './named-task.ts';
import {
  checkOf,
  DataPart,
  ListTasksParams,
  NoParams,
  SendMessageParams,
  type SendMessage,
  TaskParams,
} from './params.ts';
import { PushConfigMessage } from './push-config.ts';
import { messagePush, pushMethodsOf } from './push-methods.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import { sendMessage, type Sent } from './send-message.ts';
import { LaterAnswer } from './later-answer.ts';
import { wireState } from './task.ts';
import { cancelTask, getTask, listTasks } from './task-methods.ts';
import { sendStreamingMessage, subscribeToTask, type StartedStream } from './stream-methods.ts';
import type { StreamEvent, StreamParts } from './task-stream.ts';
import { eventTo03, messageTo03, paramsFrom03, taskTo03, V03_METHODS } from './v0-3.ts';

export type MethodResult = JsonObject | readonly JsonObject[] | null | LaterAnswer;
/** One method of A2A. @throws NotaryError. */
export type Method = (call: RpcCall, params: JsonObject) => Promise<MethodResult>;
export type Methods = ReadonlyMap<string, Method>;

export interface MethodParts {
  readonly inputs: InputCheck;
  readonly documents: Pick<SignDocument, 'keyId' | 'sign'>;
  readonly settings: CardSettings & { readonly maxWaitMs: number };
  readonly streams: StreamParts;
}

/** A method whose answer is a stream: it is no business of the JSON-RPC library. */
export type StreamMethod = (call: RpcCall, params: JsonObject) => Promise<StartedStream>;

interface StreamMethods {
  readonly methods: ReadonlyMap<string, StreamMethod>;
  /** An event in the form of the version. */
  readonly shown: (event: StreamEvent) => JsonObject;
}

/** The streaming methods of both versions, by their names. */
export const streamMethodsOf = ({
  inputs,
  streams,
}: MethodParts): { readonly [version in A2aVersion]: StreamMethods } => {
  const send = checkOf(inputs, SendMessageParams, 'The params');
  const task = checkOf(inputs, TaskParams, 'The params');
  const data = checkOf(inputs, DataPart, 'The data part');
  const push = checkOf(inputs, PushConfigMessage, 'The push configuration');
  const stream =
    (version: A2aVersion): StreamMethod =>
    async (call, params) => {
      const asked = send(params);
      const config = messagePush(call, pushIn(asked), version, push);
      return sendStreamingMessage(call, asked, data, config, streams);
    };
  const subscribe: StreamMethod = async (call, params) =>
    subscribeToTask(call, task(params).id, streams);
  return {
    '1.0': {
      methods: new Map([
        ['SendStreamingMessage', stream('1.0')],
        ['SubscribeToTask', subscribe],
      ]),
      shown: (event) => ('statusUpdate' in event ? { statusUpdate: event.statusUpdate } : event),
    },
    '0.3': {
      methods: new Map<string, StreamMethod>([
        ['message/stream', (call, params) => stream('0.3')(call, paramsFrom03(params))],
        ['tasks/resubscribe', subscribe],
      ]),
      shown: eventTo03,
    },
  };
};

/** The methods of both versions, by their names. */
export const methodsOf = (parts: MethodParts): { readonly [version in A2aVersion]: Methods } => {
  const { inputs, documents, settings, streams } = parts;
  const check = <S extends Parameters<typeof checkOf>[1]>(schema: S) =>
    checkOf(inputs, schema, 'The params');
  const [send, task, list, none] = [
    check(SendMessageParams),
    check(TaskParams),
    check(ListTasksParams),
    check(NoParams),
  ];
  const data = checkOf(inputs, DataPart, 'The data part');
  const push = checkOf(inputs, PushConfigMessage, 'The push configuration');
  const pushMethods = pushMethodsOf(inputs);
  /** @param form of a task in this version. */
  const sendBy = async (
    version: A2aVersion,
    call: RpcCall,
    params: JsonObject,
    form: (task: JsonObject) => JsonObject,
  ): Promise<Sent | AwaitedTask> => {
    const asked = send(params);
    const config = messagePush(call, pushIn(asked), version, push);
    const sent = await sendMessage(call, asked, data, config);
    return 'task' in sent && isAwaited(call, asked, sent.task)
      ? new AwaitedTask(call, sent.task, form, streams, settings.maxWaitMs)
      : sent;
  };
  const cards = new ExtendedCards(settings, documents);
  const card =
    (version: A2aVersion): Method =>
    async (call, params) => {
      none(params);
      return cards.of(call, version);
    };
  const get: Method = async (call, params) => getTask(call, task(params).id);
  const cancel: Method = async (call, params) => cancelTask(call, task(params).id);

  const v10: { readonly [method: string]: Method } = {
    SendMessage: async (call, params) => {
      const sent = await sendBy('1.0', call, params, (task) => task);
      return 'message' in sent && sent.message instanceof LaterAnswer
        ? sent.message
        : (sent as JsonObject | AwaitedTask);
    },
    GetTask: get,
    ListTasks: async (call, params) => listTasks(call, list(params)),
    CancelTask: cancel,
    GetExtendedAgentCard: card('1.0'),
    ...pushMethods['1.0'],
    ...UNSUPPORTED,
  };
  const v03: { readonly [method in (typeof V03_METHODS)[keyof typeof V03_METHODS]]?: Method } = {
    SendMessage: async (call, params) => {
      const sent = await sendBy('0.3', call, paramsFrom03(params), taskTo03);
      if (sent instanceof AwaitedTask) return sent;
      if ('task' in sent) return taskTo03(sent.task);
      const { message } = sent;
      return message instanceof LaterAnswer
        ? message.with(messageTo03(message.head))
        : messageTo03(message);
    },
    GetTask: async (call, params) => taskTo03((await get(call, params)) as JsonObject),
    CancelTask: async (call, params) => taskTo03((await cancel(call, params)) as JsonObject),
    GetExtendedAgentCard: card('0.3'),
    ...pushMethods['0.3'],
    ...UNSUPPORTED,
  };
  return {
    '1.0': new Map(Object.entries(v10)),
    '0.3': new Map(Object.entries(V03_METHODS).map(([name, as]) => [name, v03[as]!] as const)),
  };
};

/** Returns whether the answer waits for the task (A2A 1.0 section 3.2.2). A member of a batch never waits. */
const isAwaited = (call: RpcCall, { configuration }: SendMessage, task: JsonObject): boolean =>
  configuration?.returnImmediately !== true &&
  !call.isBatched &&
  !isDraft(String(task['id'])) &&
  GOES_ON.includes(String((task['status'] as JsonObject)['state'])) &&
  call.mayCall(getRecord);

const GOES_ON = [wireState('SUBMITTED'), wireState('WORKING')];

/** What a message brings along. */
const pushIn = ({ configuration }: SendMessage): unknown =>
  configuration?.taskPushNotificationConfig;

const notHere: Method = () =>
  Promise.reject(
    new ProtocolError(
      RPC.unsupportedOperation,
      'UNPROCESSABLE',
      'A stream is the answer to a request of its own, with an id: not to a member of a batch.',
      { suggestion: 'Send the request alone, or ask for the task with GetTask.' },
    ),
  );

const UNSUPPORTED = {
  SendStreamingMessage: notHere,
  SubscribeToTask: notHere,
} as const;
