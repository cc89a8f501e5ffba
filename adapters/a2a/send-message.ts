import { randomUUID } from 'node:crypto';
import type { CallOutcome } from '../../application/call/idempotent-calls.ts';
import type { Operation } from '../../application/call/operation.ts';
import { getRecord } from '../../application/record/operations.ts';
import { RecordSchema } from '../../application/record/record-view.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { askedSkill, namesTask, type AskedSkill } from './asked-skill.ts';
import { missingInput } from './missing-input.ts';
import type { Checked, DataPart, MessageIn, SendMessage } from './params.ts';
import { setMessagePush, type MessagePush } from './push-methods.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import { StreamedData } from './streamed-data.ts';
import { dataArtifact, statementArtifacts, taskOf, type RecordView } from './task.ts';

/** What a message is answered with: a task where it acts on a record, else a message. */
export type Sent = { readonly task: JsonObject } | { readonly message: JsonObject | StreamedData };

/**
 * Carries a message out. It answers when the act is sealed; it waits for no other agent.
 *
 * @param push set up before the act, where the task is there already: what is refused then changes nothing. At a new task it
 * follows the act, which it then tells nothing of.
 */
export const sendMessage = async (
  call: RpcCall,
  { message, configuration }: SendMessage,
  checkData: Checked<typeof DataPart>,
  push: MessagePush | null,
): Promise<Sent> => {
  assertJsonIsTaken(configuration?.acceptedOutputModes);
  const asked = askedSkill(message, checkData);
  if (!asked?.input) return { task: await missingInput(call, message, asked) };
  const { operation, input, expectedVersions } = asked;
  if (operation.isStreamed && call.isBatched) throw notInBatches(operation);
  await assertContext(call, message, { ...asked, input });
  const { messageId } = message;
  const known = input['recordId'];
  if (push && typeof known === 'string') await setMessagePush(call, push, known, messageId);
  const outcome = await call.perform(operation, input, { key: messageId, expectedVersions });
  const sent = await answerOf(call, operation, message, outcome);
  if (push && typeof known !== 'string' && 'task' in sent)
    await setMessagePush(call, push, String(sent.task['id']), messageId);
  return sent;
};

const answerOf = async (
  call: RpcCall,
  operation: Operation,
  message: MessageIn,
  { shown, isReplay, end }: CallOutcome,
): Promise<Sent> => {
  if (end) call.exchange.holdUntilSent(end);
  const metadata = {
    operation: operation.id,
    ...(shown.version === undefined ? {} : { version: shown.version }),
    ...(shown.isNew === undefined ? {} : { isNew: shown.isNew }),
    ...(isReplay ? { idempotencyReplayed: true } : {}),
  };
  if (operation.output === RecordSchema) {
    const record = shown.view as RecordView;
    call.exchange.recordId = record.id;
    const artifacts = [dataArtifact('record', 'Record', record), ...statementArtifacts(record)];
    return { task: taskOf(record, call.caller, { artifacts, metadata }) };
  }
  const artifact = dataArtifact('result', operation.words.summary, shown.view);
  const record = operation.effect === 'write' ? await recordBehind(call, shown.view) : null;
  if (record) return { task: taskOf(record, call.caller, { artifacts: [artifact], metadata }) };
  const head = { messageId: randomUUID(), role: 'ROLE_AGENT', ...echoOf(message), metadata };
  return {
    message: operation.isStreamed
      ? new StreamedData(head, shown.view)
      : { ...head, parts: artifact['parts']! },
  };
};

const echoOf = ({ taskId, contextId }: MessageIn): JsonObject => ({
  ...(namesTask(taskId) ? { taskId } : {}),
  ...(namesTask(contextId) ? { contextId } : {}),
});

/** How the record stands that an act has changed; null where the credential may not read it. */
const recordBehind = async (call: RpcCall, view: unknown): Promise<RecordView | null> => {
  const { recordId } = view as { readonly recordId?: unknown };
  if (typeof recordId !== 'string' || !call.mayCall(getRecord)) return null;
  call.exchange.recordId = recordId;
  const { shown } = await call.perform(getRecord, { recordId });
  return shown.view as RecordView;
};

/**
 * Contexts are made here: that of a record is the id of its root. A message may name the one of the record that it is
 * about, and no other.
 */
const assertContext = async (
  call: RpcCall,
  { contextId }: MessageIn,
  { input }: AskedSkill & { readonly input: JsonObject },
): Promise<void> => {
  if (!namesTask(contextId)) return;
  const recordId = input['recordId'] ?? input['parentRecordId'];
  if (typeof recordId === 'string') {
    if (!call.mayCall(getRecord)) return;
    const { shown } = await call.perform(getRecord, { recordId });
    if ((shown.view as RecordView).rootRecordId === contextId.toLowerCase()) return;
  }
  throw new NotaryError('VALIDATION_ERROR', 'The contextId is not the one of this task.', {
    errors: [{ path: '/message/contextId', keyword: 'const', message: 'is of another context' }],
    suggestion:
      'Leave contextId out. The service gives each task the id of its root record as its context.',
  });
};

const TAKEN = /^(?:application\/(?:json|\*)|text\/plain|text\/\*|\*\/\*)$/;

const assertJsonIsTaken = (modes: readonly string[] | undefined): void => {
  if (!modes || modes.length === 0 || modes.some((mode) => TAKEN.test(mode.split(';')[0]!.trim())))
    return;
  throw new ProtocolError(
    RPC.contentTypeNotSupported,
    'NOT_ACCEPTABLE',
    'Answers are application/json, and acceptedOutputModes takes none of it.',
    { allowedValues: ['application/json'] },
  );
};

const notInBatches = ({ id }: Operation): ProtocolError =>
  new ProtocolError(
    RPC.unsupportedOperation,
    'UNPROCESSABLE',
    `${id} answers with a long list, which is sent as it is read: ask for it in a request of its own, not in a batch.`,
  );
