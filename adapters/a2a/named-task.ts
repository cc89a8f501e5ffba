import type { Operation } from '../../application/call/operation.ts';
import { ACTION_OPERATIONS } from '../../application/record/guidance-view.ts';
import { getRecord } from '../../application/record/operations.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid } from '../../domain/kernel/ids.ts';
import { stepsOf } from '../../domain/record/lifecycle-queries.ts';
import { TERMINAL, type RecordStatus } from '../../domain/record/record-status.ts';
import type { MessageIn } from './params.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import { recordIdOf } from './task-methods.ts';
import type { RecordView } from './task.ts';

const DRAFT = 'draft:';
/** The id of a task that only asks for input. Nothing is kept of it. */
export const draftId = (uuid: string): string => `${DRAFT}${uuid}`;

export const isDraft = (id: string): boolean =>
  id.startsWith(DRAFT) && isUuid(id.slice(DRAFT.length));

/**
 * The record of the task that a message names; null if it names none, or a draft. Every message passes here before it is
 * known what its skill does.
 *
 * @throws NotaryError NOT_FOUND if the caller can read no such task (A2A 1.0 section 3.4.2); VALIDATION_ERROR if the
 *   context is not the one of the task.
 */
export const namedTask = async (
  call: RpcCall,
  { taskId, contextId }: MessageIn,
): Promise<RecordView | null> => {
  if (!taskId) return null;
  if (isDraft(taskId)) {
    if (contextId && contextId !== taskId) throw otherContext();
    return null;
  }
  const { shown } = await call.perform(getRecord, { recordId: recordIdOf(taskId) });
  const record = shown.view as RecordView;
  if (contextId && contextId.toLowerCase() !== record.rootRecordId) throw otherContext();
  return record;
};

export const otherContext = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'The contextId is not the one of this task.', {
    errors: [{ path: '/message/contextId', keyword: 'const', message: 'is of another context' }],
    suggestion:
      'Leave contextId out. The service gives each task the id of its root record as its context.',
  });

/**
 * The refusal of a message that cannot go on with the task that it names: the task has ended (A2A 1.0 section 3.1.1), or the
 * operation starts another one. It is null for an operation that reads, and for one that the lifecycle still has for an ended
 * record, such as a dispute.
 */
export const refusalByTask = (
  { status }: Pick<RecordView, 'status'>,
  operation: Operation | undefined,
): ProtocolError | null => {
  if (operation?.effect === 'read') return null;
  const refused = (detail: string): ProtocolError =>
    new ProtocolError(RPC.unsupportedOperation, 'UNPROCESSABLE_STATE', detail, {
      currentState: status,
      suggestion: 'Leave taskId out to start another task.',
    });
  if (TERMINAL.has(status) && !(operation && mayFollow(operation, status)))
    return refused(`The task has ended: it is ${status}, and takes no such message.`);
  if (operation && !('recordId' in operation.input.properties))
    return refused(`${operation.id} goes on with no task, and the message names one.`);
  return null;
};

const mayFollow = ({ id }: Operation, status: RecordStatus): boolean =>
  Object.entries(ACTION_OPERATIONS).some(
    ([action, operation]) => operation === id && stepsOf(action, status, {}).length > 0,
  );
