import { getRecord } from '../../application/record/operations.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import { isDraft } from './named-task.ts';
import type { Checked, DataPart, SendMessage } from './params.ts';
import type { MessagePush } from './push-methods.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import { sendMessage } from './send-message.ts';
import { StreamedData } from './streamed-data.ts';
import { recordIdOf, shownTask } from './task-methods.ts';
import type { RecordView } from './task.ts';
import { TaskStream, versionIn, type StreamEvent, type StreamParts } from './task-stream.ts';

/** A stream that was let in: its events, the first of which is known to be good. */
export interface StartedStream {
  readonly events: AsyncGenerator<StreamEvent>;
  close(): void;
}

/** The task as it is, then each change until it ends. @throws ProtocolError -32004 where it has ended. */
export const subscribeToTask = async (
  call: RpcCall,
  id: string,
  parts: StreamParts,
): Promise<StartedStream> => {
  const recordId = recordIdOf(id);
  const after = await parts.feed.newest();
  const { shown } = await call.perform(getRecord, { recordId });
  let record: RecordView | null = shown.view as RecordView;
  if (TERMINAL.has(record.status))
    throw new ProtocolError(
      RPC.unsupportedOperation,
      'UNPROCESSABLE_STATE',
      `The task has ended: it is ${record.status}, and nothing more comes.`,
      { currentState: record.status, suggestion: 'Ask for the task with GetTask.' },
    );
  const stream = new TaskStream(call, parts);
  return started(stream, async function* () {
    let task: JsonObject | null = await shownTask(call, record!);
    yield { task };
    const seen = versionIn(task);
    // Neither is held while the stream waits.
    record = null;
    task = null;
    yield* stream.changes(recordId, seen, after, false);
  });
};

/** What SendMessage answers, and then each change until the task ends or awaits input of the caller. */
export const sendStreamingMessage = async (
  call: RpcCall,
  params: SendMessage,
  checkData: Checked<typeof DataPart>,
  push: MessagePush | null,
  parts: StreamParts,
): Promise<StartedStream> => {
  const after = await parts.feed.newest();
  // Before anything is done: what has no slot is refused, and can be sent again.
  const stream = call.mayCall(getRecord) ? new TaskStream(call, parts) : null;
  try {
    const sent = await sendMessage(call, params, checkData, push);
    if ('message' in sent && sent.message instanceof StreamedData) throw isLong();
    const first = sent as { readonly task: JsonObject } | { readonly message: JsonObject };
    return started(stream, async function* () {
      yield first;
      if (!stream || !('task' in first) || isDraft(first.task['id'] as string)) return;
      const { task } = first;
      yield* stream.changes(task['id'] as string, versionIn(task), after, true);
    });
  } catch (error) {
    stream?.close();
    throw error;
  }
};

const started = (
  stream: TaskStream | null,
  events: () => AsyncGenerator<StreamEvent>,
): StartedStream => ({ events: events(), close: () => stream?.close() });

const isLong = (): NotaryError =>
  new ProtocolError(
    RPC.unsupportedOperation,
    'UNPROCESSABLE',
    'An export is one long answer and no stream of changes.',
    { suggestion: 'Ask for it with SendMessage.' },
  );
