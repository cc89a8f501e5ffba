import { randomUUID } from 'node:crypto';
import type { CallOutcome } from '../../application/call/idempotent-calls.ts';
import type { Operation } from '../../application/call/operation.ts';
import { getRecord } from '../../application/record/operations.ts';
import { RecordSchema } from '../../application/record/record-view.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { askedSkill, withTask } from './asked-skill.ts';
import { missingInput } from './missing-input.ts';
import { isDraft, namedTask, otherContext, refusalByTask } from './named-task.ts';
import type { Checked, DataPart, MessageIn, SendMessage } from './params.ts';
import { setMessagePush, type MessagePush } from './push-methods.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import { StreamedData } from './streamed-data.ts';
import { dataArtifact, statementArtifacts, taskOf, type RecordView } from './task.ts';

/** What a message is answered with: a task where it acts on a record, else a message. */
export type Sent = { readonly task: JsonObject } | { readonly message: JsonObject | StreamedData };

/**
 * Carries a message out, until the act is sealed.
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
  const record = await namedTask(call, message);
  const asked = askedOf(message, checkData, record);
  const refusal = record && refusalByTask(record, asked?.operation);
  if (!asked?.input) {
    if (refusal) throw refusal;
    return { task: await missingInput(call, message, asked, record) };
  }
  const { operation, expectedVersions } = asked;
  const input = withTask(asked.input, operation, record?.id);
  if (operation.isStreamed && call.isBatched) throw notInBatches(operation);
  if (!record) await assertContext(call, message, input);
  const { messageId: key } = message;
  const known = input['recordId'];
  // A repetition is answered as the first time, and that set the configuration up.
  const setup = refusal ? null : push;
  if (setup && typeof known === 'string') await setMessagePush(call, setup, known, key);
  const outcome = await call
    .perform(operation, input, { key, expectedVersions, refusal })
    .catch((error: unknown) => {
      // A malformed input repeats nothing, so the state of the task is what refuses the message.
      throw refusal && isMalformed(error) ? refusal : error;
    });
  const sent = await answerOf(call, operation, echoOf(message, record), outcome);
  if (setup && typeof known !== 'string' && 'task' in sent)
    await setMessagePush(call, setup, String(sent.task['id']), key);
  return sent;
};

/** What the message asks. Data that cannot be read is no reason to keep quiet about a task that has ended. */
const askedOf = (
  message: MessageIn,
  checkData: Checked<typeof DataPart>,
  record: RecordView | null,
): ReturnType<typeof askedSkill> => {
  try {
    return askedSkill(message, checkData);
  } catch (error) {
    throw (record && refusalByTask(record, undefined)) ?? error;
  }
};

const answerOf = async (
  call: RpcCall,
  operation: Operation,
  echo: JsonObject,
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
  const head = { messageId: randomUUID(), role: 'ROLE_AGENT', ...echo, metadata };
  return {
    message: operation.isStreamed
      ? new StreamedData(head, shown.view)
      : { ...head, parts: artifact['parts']! },
  };
};

const isMalformed = (error: unknown): boolean =>
  error instanceof NotaryError && error.entry.kind === 'malformed';

/** To which task and context an answer belongs that is a message. */
const echoOf = ({ contextId }: MessageIn, record: RecordView | null): JsonObject => {
  if (record) return { taskId: record.id, contextId: record.rootRecordId };
  return contextId && !isDraft(contextId) ? { contextId } : {};
};

/** How the record stands that an act has changed; null where the credential may not read it. */
const recordBehind = async (call: RpcCall, view: unknown): Promise<RecordView | null> => {
  const { recordId } = view as { readonly recordId?: unknown };
  if (typeof recordId !== 'string' || !call.mayCall(getRecord)) return null;
  call.exchange.recordId = recordId;
  const { shown } = await call.perform(getRecord, { recordId });
  return shown.view as RecordView;
};

/**
 * Contexts are made here: that of a record is the id of its root. A message that names no task may name the context of the
 * record that its input is about, and no other.
 */
const assertContext = async (
  call: RpcCall,
  { contextId }: MessageIn,
  input: JsonObject,
): Promise<void> => {
  if (!contextId || isDraft(contextId)) return;
  const recordId = input['recordId'] ?? input['parentRecordId'];
  if (typeof recordId === 'string') {
    if (!call.mayCall(getRecord)) return;
    const { shown } = await call.perform(getRecord, { recordId });
    if ((shown.view as RecordView).rootRecordId === contextId.toLowerCase()) return;
  }
  throw otherContext();
};

/** `text` and `data` are what clients of 0.2 and 0.3 call them. */
const TAKEN = /^(?:application\/(?:json|\*)|text\/plain|text\/\*|\*\/\*|text|data)$/i;

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
