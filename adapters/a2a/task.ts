import type { Static } from 'typebox';
import type { RecordSchema } from '../../application/record/record-view.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { RecordStatus } from '../../domain/record/record-status.ts';

/** The states of a task (A2A 1.0, TaskState), without their prefix. */
export const TASK_STATES = [
  'SUBMITTED',
  'WORKING',
  'INPUT_REQUIRED',
  'COMPLETED',
  'FAILED',
  'REJECTED',
  'CANCELED',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** How a record stands as a task. */
export const STATE_OF = {
  CREATED: 'SUBMITTED',
  PROPOSED: 'SUBMITTED',
  ACTIVE: 'WORKING',
  REVISION_REQUESTED: 'INPUT_REQUIRED',
  RECORDED: 'COMPLETED',
  FULFILLED: 'COMPLETED',
  REMEDIATED: 'COMPLETED',
  FAILED: 'FAILED',
  EXPIRED: 'FAILED',
  REJECTED: 'REJECTED',
  CANCELLED: 'CANCELED',
} as const satisfies Record<RecordStatus, TaskState>;

export const statusesOf = (state: TaskState): readonly RecordStatus[] =>
  (Object.keys(STATE_OF) as RecordStatus[]).filter((status) => STATE_OF[status] === state);

export const wireState = (state: TaskState): string => `TASK_STATE_${state}`;

/** A record as every front-end shows it, with its steps in the form of this one. */
export type RecordView = Static<typeof RecordSchema>;

/** What of a record says how its task stands. */
export type Standing = Pick<
  RecordView,
  'status' | 'awaiting' | 'principalAgentId' | 'performerAgentId'
>;
type Reader = Pick<Caller, 'agentId'>;

/** What is awaited of the caller itself asks for input, also before the work begins. */
export const stateFor = (record: Standing, reader: Reader | null): TaskState => {
  const state = STATE_OF[record.status];
  if (state !== 'SUBMITTED' || !reader?.agentId) return state;
  const awaited =
    record.awaiting === 'principal'
      ? record.principalAgentId
      : record.awaiting === 'performer'
        ? record.performerAgentId
        : null;
  return awaited === reader.agentId ? 'INPUT_REQUIRED' : state;
};

/** Where an update of a stream belongs. */
export const placeOf = ({
  id,
  rootRecordId,
}: Pick<RecordView, 'id' | 'rootRecordId'>): JsonObject => ({
  taskId: id,
  contextId: rootRecordId,
});

export interface TaskParts {
  readonly artifacts: readonly JsonObject[];
  readonly metadata?: JsonObject;
}

/** A record is a task: under its id, in the context of its root. */
export const taskOf = (
  record: RecordView,
  caller: Caller | null,
  { artifacts, metadata }: TaskParts,
): JsonObject => ({
  id: record.id,
  contextId: record.rootRecordId,
  status: statusOf(record, caller),
  ...(artifacts.length === 0 ? {} : { artifacts }),
  metadata: { recordStatus: record.status, recordVersion: record.version, ...metadata },
});

const GUIDANCE = ['nextActions', 'validTransitions', 'suggestion', 'hint', 'nextSteps'] as const;

/** With guidance: what to do next, in words and as data. */
export const statusOf = (record: RecordView, caller: Caller | null): JsonObject => ({
  state: wireState(stateFor(record, caller)),
  timestamp: record.updatedAt,
  message: {
    messageId: `${record.id}:${record.version}`,
    role: 'ROLE_AGENT',
    taskId: record.id,
    contextId: record.rootRecordId,
    parts: [
      { text: record.suggestion },
      {
        data: {
          guidance: Object.fromEntries(GUIDANCE.map((name) => [name, record[name]])),
        } as unknown as JsonObject,
      },
    ],
  },
});

export const dataArtifact = (artifactId: string, name: string, data: unknown): JsonObject => ({
  artifactId,
  name,
  parts: [{ data: data as JsonObject, mediaType: 'application/json' }],
});

/** The newest chain entry, as bytes that verify offline. */
export const statementArtifacts = ({ signedStatement }: RecordView): readonly JsonObject[] =>
  signedStatement
    ? [
        {
          artifactId: 'statement',
          name: 'Signed statement',
          parts: [
            {
              raw: signedStatement.coseSign1,
              mediaType: 'application/cose; cose-type="cose-sign1"',
              filename: `${signedStatement.hash}.cose`,
            },
          ],
        },
      ]
    : [];
