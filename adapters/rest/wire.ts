import { Type } from 'typebox';
import { ACTIONS } from '../../domain/record/actions.ts';
import { Status, oneOf } from '../../application/call/schemas.ts';

export {
  Actor,
  Base64,
  JsonObjectSchema,
  Sha256,
  SignedStatementSchema,
  Status,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
  pageOf,
} from '../../application/call/schemas.ts';

export const NextStep = Type.Object(
  {
    action: Type.String(),
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    href: Type.String({ description: 'A path, relative to the base URL' }),
    description: Type.String(),
    workflowStep: Type.Optional(Type.Integer()),
    workflowTotal: Type.Optional(Type.Integer()),
    workflowLabel: Type.Optional(Type.String()),
    afterThis: Type.Optional(Type.String()),
  },
  { description: 'One thing to do next that this credential may do' },
);

export const RECORD_GUIDANCE = {
  nextActions: Type.Array(oneOf(ACTIONS), {
    description: 'Valid now for either party, as far as the scopes of the key go',
  }),
  validTransitions: Type.Array(Status),
  suggestion: Type.String(),
  hint: Type.String({ description: 'Why the first step is the first' }),
  nextSteps: Type.Array(NextStep),
};

export const GUIDANCE = { suggestion: Type.String(), nextSteps: Type.Array(NextStep) };

/** One instant has many spellings; inside there is one. @param text a valid RFC 3339 time. */
export const instant = (text: string): string => new Date(text).toISOString();

/** The members that are given, with the instants among them spelled the one way. */
export const withInstants = <T extends object>(members: T, names: readonly (keyof T)[]): T => {
  const result = { ...members };
  for (const name of names)
    if (typeof members[name] === 'string') result[name] = instant(members[name]) as T[keyof T];
  return result;
};
