import type { Operation } from '../../application/call/operation.ts';
import { type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { nearestName } from '../../domain/kernel/nearest-name.ts';
import type { Checked, DataPart, MessageIn } from './params.ts';
import { ProtocolError, RPC } from './rpc-error.ts';
import { SKILLS, skillOf, type Skill } from './skills.ts';

/** What a message asks for. */
export interface AskedSkill {
  readonly skill: Skill;
  readonly operation: Operation;
  /** Null where the message gives none: then it is told what is missing. */
  readonly input: JsonObject | null;
  readonly expectedVersions?: readonly number[] | undefined;
}

/**
 * Reads the data part of a message. Text beside it is for people; prose is never read.
 *
 * @returns null where there is none.
 * @throws NotaryError VALIDATION_ERROR; ProtocolError -32005 for files.
 */
export const askedSkill = (
  { parts }: MessageIn,
  check: Checked<typeof DataPart>,
): AskedSkill | null => {
  if (parts.some(({ raw, url }) => raw !== undefined || url !== undefined))
    throw new ProtocolError(
      RPC.contentTypeNotSupported,
      'UNSUPPORTED_MEDIA_TYPE',
      'A message has a data part and text; files are not taken.',
      { suggestion: 'Keep the file elsewhere, and send its hash in the input of a data part.' },
    );
  const data = parts.flatMap((part) => (part.data === undefined ? [] : [part.data]));
  if (data.length > 1)
    throw new NotaryError(
      'VALIDATION_ERROR',
      `A message asks for one thing, in one data part; this one has ${data.length}.`,
      { suggestion: 'Send a message for each, or several requests in a batch.' },
    );
  if (data.length === 0) return null;
  const asked = check(data[0]);
  const skill = skillOf(asked.skill);
  if (!skill) throw unknown('skill', asked.skill, SKILLS);
  const { operations } = skill;
  const operation =
    asked.operation === undefined
      ? operations[0]
      : operations.find(({ id }) => id === asked.operation);
  if (!operation) throw unknown('operation', asked.operation!, operations);
  const { input = null, expectedVersions } = asked;
  return { skill, operation, input, expectedVersions };
};

/** The input with the task that the message names as its record, if the operation takes one. */
export const withTask = (
  input: JsonObject,
  operation: Operation,
  taskId: string | undefined,
): JsonObject => {
  if (taskId === undefined || !('recordId' in operation.input.properties)) return input;
  const named: JsonValue | undefined = input['recordId'];
  if (named === undefined) return { ...input, recordId: taskId };
  if (typeof named === 'string' && named.toLowerCase() === taskId) return input;
  throw new NotaryError(
    'VALIDATION_ERROR',
    'The taskId of the message and the recordId of its input are not the same.',
    { errors: [{ path: '/recordId', keyword: 'const', message: 'must be the taskId' }] },
  );
};

const unknown = (
  what: string,
  name: string,
  known: readonly { readonly id: string }[],
): NotaryError => {
  const ids = known.map(({ id }) => id);
  const near = nearestName(name, ids);
  return new NotaryError(
    'VALIDATION_ERROR',
    `There is no ${what} ${JSON.stringify(name.slice(0, 64))}${near ? `; ${JSON.stringify(near)} is near` : ''}.`,
    {
      errors: [{ path: `/${what}`, keyword: 'enum', message: `must be one of ${ids.join(', ')}` }],
      allowedValues: ids,
    },
  );
};
