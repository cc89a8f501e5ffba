import { randomUUID } from 'node:crypto';
import type { Operation } from '../../application/call/operation.ts';
import { getSchema } from '../../application/record-type/operations.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { askedCriteria } from '../http/asked-criteria.ts';
import { draftId } from './named-task.ts';
import type { MessageIn } from './params.ts';
import type { RpcCall } from './rpc-call.ts';
import { SKILLS, type Skill } from './skills.ts';
import { shownTask } from './task-methods.ts';
import { wireState, type RecordView } from './task.ts';

/**
 * The answer to a message that gives no input: a task that asks for it, and names the fields. Nothing is kept of it: the
 * next message says all.
 *
 * @param asked what the message names, if anything: a skill and its operation.
 * @param record the task that the message names, which then is the one that is answered, in its own state.
 */
export const missingInput = async (
  call: RpcCall,
  message: MessageIn,
  asked: { readonly skill: Skill; readonly operation: Operation } | null,
  record: RecordView | null,
): Promise<JsonObject> => {
  const fields = asked ? await missingFields(call, asked.operation, message, record !== null) : [];
  const data: JsonObject = asked
    ? {
        skill: asked.skill.id,
        operation: asked.operation.id,
        missing: fields,
        example: exampleOf(asked),
      }
    : {
        missing: [{ path: '/skill', description: 'What is wanted' }, { path: '/input' }],
        skills: SKILLS.map(({ id, name, operations }) => ({
          id,
          name,
          operations: operations.map((operation) => operation.id),
        })),
      };
  const task = record ? await shownTask(call, record) : draftOf(draftId(randomUUID()));
  const { id: taskId, contextId } = task;
  const question: JsonObject = {
    messageId: randomUUID(),
    role: 'ROLE_AGENT',
    taskId: taskId!,
    contextId: contextId!,
    parts: [{ text: wordsOf(asked, fields) }, { data }],
  };
  return { ...task, status: { ...(task['status'] as JsonObject), message: question } };
};

const draftOf = (id: string): JsonObject => ({
  id,
  contextId: id,
  status: { state: wireState('INPUT_REQUIRED') },
});

const wordsOf = (
  asked: { readonly skill: Skill; readonly operation: Operation } | null,
  fields: readonly JsonObject[],
): string =>
  asked
    ? `Send a data part {"skill": "${asked.skill.id}", "operation": "${asked.operation.id}", "input": {…}}. Missing: ${fields.map(({ path }) => path as string).join(', ') || 'nothing but the input itself'}.`
    : `Send a data part {"skill": …, "input": {…}}: text alone is not read. The skills are ${SKILLS.map(({ id }) => id).join(', ')}.`;

const exampleOf = ({ operation }: { readonly operation: Operation }): JsonValue =>
  (Object.values(operation.examples)[0] ?? {}) as JsonObject;

/** Of the operation, and of the criteria of the record type that the metadata of the message names. */
const missingFields = async (
  call: RpcCall,
  { input }: Operation,
  { metadata = {} }: MessageIn,
  namesTask: boolean,
): Promise<readonly JsonObject[]> => {
  const { required = [], properties } = input;
  const own = required
    .filter((name) => !(name === 'recordId' && namesTask) && !(name === 'type' && metadata['type']))
    .map((name) => fieldOf(`/input/${name}`, properties[name] as unknown as JsonValue));
  const { type } = metadata;
  if (typeof type !== 'string' || !('criteria' in properties)) return own;
  const criteria = await criteriaOf(call, type);
  return criteria === null ? own : [...own, ...requiredIn('/input/criteria', criteria)];
};

const requiredIn = (path: string, schema: JsonObject): readonly JsonObject[] => {
  const { required, properties } = schema;
  if (!Array.isArray(required)) return [];
  return required
    .filter((name): name is string => typeof name === 'string')
    .slice(0, 100)
    .map((name) =>
      fieldOf(
        `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined,
      ),
    );
};

const fieldOf = (path: string, schema: JsonValue | undefined): JsonObject => {
  const { type, description } = isObject(schema) ? schema : {};
  return {
    path,
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
};

const criteriaOf = async (call: RpcCall, type: string): Promise<JsonObject | null> =>
  call.mayCall(getSchema) ? askedCriteria(() => call.perform(getSchema, { type })) : null;
