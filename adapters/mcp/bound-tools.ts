import { Type, type TObject } from 'typebox';
import type { BoundOperation, CallGateway } from '../../application/call/call-gateway.ts';
import { inputOf, type Members } from '../../application/call/input-form.ts';
import type { Operation } from '../../application/call/operation.ts';
import { renderBy, type Render } from '../../application/call/render-view.ts';
import { MCP_FORMS, type FormContext } from './forms.ts';
import type { Tool } from './tools.ts';

/** An operation, ready to be called with arguments. */
export interface BoundTool {
  readonly operation: Operation;
  readonly fixed: Members;
  readonly bound: BoundOperation;
  readonly render: Render<FormContext>;
}

/** Tools are bound when they are first called. */
export class BoundTools {
  private readonly ready = new Map<string, BoundTool>();

  constructor(private readonly gateway: CallGateway) {}

  of(tool: Pick<Tool, 'name' | 'operation' | 'fixed'>): BoundTool {
    const made = this.ready.get(tool.name) ?? this.bind(tool);
    this.ready.set(tool.name, made);
    return made;
  }

  private bind(tool: Pick<Tool, 'operation' | 'fixed'>): BoundTool {
    const { operation } = tool;
    const fixed = fixedBy(tool);
    const [example] = Object.values(operation.examples);
    const part = {
      noun: 'The input',
      memberNoun: 'member',
      schema: inputOf(operation, fixed),
      hasHelp: true,
      ...(example ? { example } : {}),
    };
    const bound = this.gateway.bind({ operation, fixed, parts: [part] });
    return { operation, fixed, bound, render: renderBy(operation.output, MCP_FORMS) };
  }
}

/** Results are JSON, so an export has one form. */
export const fixedBy = ({ operation, fixed = {} }: Pick<Tool, 'operation' | 'fixed'>): Members =>
  'format' in operation.input.properties ? { ...fixed, format: 'json' } : fixed;

/** What every tool that writes takes beside the input of its operation. */
export const CONTROL = Type.Object(
  {
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'Make one up for each thing you mean to do, and send the same again when you repeat the call: it acts once. The id of the JSON-RPC request is no such key.',
      }),
    ),
    expectedVersions: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        minItems: 1,
        maxItems: 16,
        description: 'The call is refused where the record has another version',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ControlName = keyof typeof CONTROL.properties;

/** Which of them a tool takes. */
export const controlsOf = ({
  effect,
  isVersioned,
}: Pick<Operation, 'effect' | 'isVersioned'>): readonly ControlName[] => [
  ...(effect === 'write' ? (['idempotencyKey'] as const) : []),
  ...(isVersioned ? (['expectedVersions'] as const) : []),
];

/** The schema of the arguments of a tool. */
export const argumentsOf = (tool: Tool): TObject => {
  const input = inputOf(tool.operation, fixedBy(tool));
  const controls = controlsOf(tool.operation).map((name) => [name, CONTROL.properties[name]]);
  return {
    ...input,
    properties: { ...input.properties, ...Object.fromEntries(controls) },
  };
};
