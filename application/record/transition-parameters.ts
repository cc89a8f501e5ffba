import { NotaryError, type FieldError } from '../../domain/kernel/errors.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

export interface TransitionParameters {
  readonly reason?: string;
  readonly cascade?: boolean;
  readonly criteriaHash?: string;
  readonly performerAgentId?: Uuid;
  readonly criteria?: JsonObject;
  readonly message?: string;
}

type Parameter = keyof TransitionParameters;

/** What each action takes besides its name; a Map, because the name comes from outside. */
const PARAMETERS = new Map<
  string,
  { readonly required?: readonly Parameter[]; readonly optional?: readonly Parameter[] }
>([
  ['propose', { required: ['performerAgentId'] }],
  ['activate', {}],
  ['accept', { optional: ['criteriaHash'] }],
  ['accept-counter', { optional: ['criteriaHash'] }],
  ['counter-propose', { required: ['criteria'], optional: ['message'] }],
  ['reject', { optional: ['reason'] }],
  ['cancel', { optional: ['reason', 'cascade'] }],
  ['revision', { optional: ['reason'] }],
  ['evaluate', {}],
  ['verify-cascade', {}],
]);

/** @throws VALIDATION_ERROR where a parameter is missing, or is none of this action. An unknown action takes any: its refusal comes later. */
export const assertParameters = (action: string, given: TransitionParameters): void => {
  const known = PARAMETERS.get(action);
  if (!known) return;
  const { required = [], optional = [] } = known;
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
      .filter((name) => given[name as Parameter] !== undefined && !allowed.includes(name))
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
