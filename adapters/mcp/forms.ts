import { Type, type TSchema } from 'typebox';
import type { NextStep } from '../../application/call/guide.ts';
import type { Forms } from '../../application/call/render-view.ts';
import { JsonObjectSchema, SHOWN_AS } from '../../application/call/schemas.ts';
import { NotaryError, type ErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { problemOf } from '../http/problem.ts';
import { toolFor } from './tools.ts';

export interface FormContext {
  readonly instance: string;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly members: ProblemMembers;
  readonly requestId: string;
}

/** What of a view looks different here: a step is the tool that takes it, with what is known of its arguments. */
export const MCP_FORMS: Forms<FormContext> = new Map<
  unknown,
  (value: unknown, context: FormContext) => unknown
>([
  [
    'step',
    (value) => {
      const { operation: _, input, ...step } = value as NextStep;
      const tool = toolFor(value as NextStep);
      if (!tool) return undefined;
      const given = Object.entries(input).filter(([name]) => !(name in (tool.fixed ?? {})));
      return { ...step, tool: tool.name, arguments: Object.fromEntries(given) };
    },
  ],
  [
    'refusal',
    (value, { instance }) => {
      const { code, detail, members, requestId } = value as Refusal;
      return problemOf(new NotaryError(code, detail, members), { requestId, instance });
    },
  ],
]);

const STEP = Type.Object(
  {
    action: Type.String(),
    tool: Type.String(),
    arguments: Type.Unsafe({ type: 'object', additionalProperties: { type: 'string' } }),
    description: Type.String(),
    workflowStep: Type.Optional(Type.Integer()),
    workflowTotal: Type.Optional(Type.Integer()),
    workflowLabel: Type.Optional(Type.String()),
    afterThis: Type.Optional(Type.String()),
  },
  { description: 'A tool to call next, and what is known of its arguments' },
);
const SCHEMAS: ReadonlyMap<unknown, TSchema> = new Map<unknown, TSchema>([
  ['step', STEP],
  ['refusal', { ...JsonObjectSchema, description: 'A problem document (RFC 9457)' }],
]);

/** The schema of a view as it is shown here: the same, but for the places that have a form of their own. */
export const shownSchema = (schema: TSchema): object => ({
  // Also of a choice among objects: clients of 2025 take a schema of anything else for that of a bare value.
  type: 'object',
  ...(shown(schema) as object),
});

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const own = SCHEMAS.get((value as { readonly [SHOWN_AS]?: string })[SHOWN_AS]);
  if (own) return own;
  const entries = Object.entries(value).filter(([name]) => name !== SHOWN_AS);
  return Object.fromEntries(entries.map(([name, member]) => [name, shown(member)]));
};
