import { getCompletion, getRecord } from '../../application/record/operations.ts';
import { listRecordsByStatuses } from '../../application/record/list-by-statuses.ts';
import { transitionRecord } from '../../application/record/transition-operation.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import { isUuid } from '../../domain/kernel/ids.ts';
import type { ListTasksParams } from './params.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import {
  dataArtifact,
  statementArtifacts,
  statusesOf,
  TASK_STATES,
  taskOf,
  wireState,
  type RecordView,
} from './task.ts';
import type { Static } from 'typebox';

/** The task with all its artifacts. @throws NotaryError NOT_FOUND, also where it is another's. */
export const getTask = async (call: RpcCall, id: string): Promise<JsonObject> => {
  const { shown } = await call.perform(getRecord, { recordId: recordIdOf(id) });
  return shownTask(call, shown.view as RecordView);
};

/** The task of a record that was read for this caller. */
export const shownTask = async (call: RpcCall, record: RecordView): Promise<JsonObject> => {
  call.exchange.recordId = record.id;
  const { latestCompletionId } = record;
  const completion =
    latestCompletionId !== null && call.mayCall(getCompletion)
      ? await call.perform(getCompletion, { recordId: record.id, completionId: latestCompletionId })
      : null;
  const artifacts = [
    dataArtifact('record', 'Record', record),
    ...(completion ? [dataArtifact('completion', 'Completion', completion.shown.view)] : []),
    ...statementArtifacts(record),
  ];
  return taskOf(record, call.caller, { artifacts });
};

/** @throws ProtocolError -32002 where the record cannot be cancelled any more, or not by this caller. */
export const cancelTask = async (call: RpcCall, id: string): Promise<JsonObject> => {
  try {
    const input = { recordId: recordIdOf(id) };
    const { shown } = await call.perform(transitionRecord, input, { fixed: { action: 'cancel' } });
    const record = shown.view as RecordView;
    call.exchange.recordId = record.id;
    const artifacts = [dataArtifact('record', 'Record', record), ...statementArtifacts(record)];
    return taskOf(record, call.caller, { artifacts });
  } catch (error) {
    if (!(error instanceof NotaryError) || error.entry.kind !== 'unprocessable') throw error;
    const { code, message, members } = error;
    throw new ProtocolError(RPC.taskNotCancelable, code, message, members, { cause: error.cause });
  }
};

const DEFAULT_PAGE = 50;

/** Newest change first. */
export const listTasks = async (
  call: RpcCall,
  asked: Static<typeof ListTasksParams>,
): Promise<JsonObject> => {
  const { contextId, pageToken, statusTimestampAfter, includeArtifacts = false } = asked;
  const pageSize = asked.pageSize || DEFAULT_PAGE;
  if (contextId && !isUuid(contextId.toLowerCase())) return pageOf([], '', pageSize, 0);
  const statuses = statusesNamed(asked.status);
  const { shown } = await call.perform(listRecordsByStatuses, {
    sort: '-updatedAt',
    limit: pageSize,
    ...(contextId ? { rootRecordId: contextId } : {}),
    ...(pageToken ? { cursor: pageToken } : {}),
    ...(statuses ? { statuses } : {}),
    ...(statusTimestampAfter ? { updatedFrom: statusTimestampAfter } : {}),
  });
  const page = shown.view as {
    readonly data: readonly RecordView[];
    readonly total: number;
    readonly nextCursor: string | null;
  };
  const tasks = page.data.map((record) =>
    taskOf(record, call.caller, {
      artifacts: includeArtifacts ? [dataArtifact('record', 'Record', record)] : [],
    }),
  );
  return pageOf(tasks, page.nextCursor ?? '', pageSize, page.total);
};

const pageOf = (
  tasks: readonly JsonObject[],
  nextPageToken: string,
  pageSize: number,
  totalSize: number,
): JsonObject => ({ tasks, nextPageToken, pageSize, totalSize });

/** Clients send what their libraries make of nothing: that filters nothing. */
const UNSET: readonly (string | undefined)[] = [
  undefined,
  '',
  'TASK_STATE_UNSPECIFIED',
  'UNRECOGNIZED',
];

/** Undefined where any state will do. Records that ask for input of the caller before they begin are SUBMITTED here. */
const statusesNamed = (status: string | undefined): readonly string[] | undefined => {
  if (UNSET.includes(status)) return undefined;
  const state = TASK_STATES.find((one) => wireState(one) === status);
  if (state) return statusesOf(state);
  throw new NotaryError(
    'VALIDATION_ERROR',
    `There is no task in the state ${JSON.stringify(status)}.`,
    { allowedValues: TASK_STATES.map(wireState) },
  );
};

/** A record id, in either case. What is none names no task. */
export const recordIdOf = (id: string): string => {
  const recordId = id.toLowerCase();
  if (!isUuid(recordId)) throw notFound('task');
  return recordId;
};
