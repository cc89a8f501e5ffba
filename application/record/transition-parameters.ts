import type { TObject } from 'typebox';
import { NotaryError, type FieldError } from '../../domain/kernel/errors.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { findActionRow, type ActionParameter } from '../../domain/record/actions.ts';
import { pick } from '../call/input-form.ts';
import { TransitionInput } from './inputs.ts';

export interface TransitionParameters {
  readonly reason?: string;
  readonly cascade?: boolean;
  readonly criteriaHash?: string;
  readonly performerAgentId?: Uuid;
  readonly criteria?: JsonObject;
  readonly message?: string;
}

/** @throws VALIDATION_ERROR where a parameter is missing, or the action does not take it. An unknown action takes any, because its own refusal comes later. */
export const assertParameters = (action: string, given: TransitionParameters): void => {
  const known = findActionRow(action)?.parameters;
  if (!known) return;
  const { required, optional } = known;
  const allowed: readonly string[] = [...required, ...optional];
  const errors: FieldError[] = [
    ...required
      .filter((name) => given[name] === undefined)
      .map((name) => ({
        path: `/${name}`,
        keyword: 'required',
        message: `is required by ${action}`,
      })),
    ...Object.keys(given)
      .filter((name) => given[name as ActionParameter] !== undefined && !allowed.includes(name))
      .map((name) => ({
        path: `/${name}`,
        keyword: 'additionalProperties',
        message: `is not a parameter of ${action}`,
      })),
  ];
  if (errors.length === 0) return;
  throw new NotaryError(
    'VALIDATION_ERROR',
    `The action ${action} takes ${allowed.length > 0 ? allowed.join(', ') : 'no parameters'}: ${errors[0]?.path} ${errors[0]?.message}.`,
    { errors, requiredFields: required, optionalFields: optional },
  );
};

/** The input that the caller still gives where the action is fixed. */
export const inputOfAction = (action: string): TObject => {
  const { required, optional } = findActionRow(action)?.parameters ?? NO_PARAMETERS;
  const input: TObject = pick(TransitionInput, ['recordId', ...required, ...optional]);
  return { ...input, required: ['recordId', ...required] } as TObject;
};

const NO_PARAMETERS = { required: [], optional: [] } as const;
