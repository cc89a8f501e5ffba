import type { InputCheck } from '../../application/call/input-check.port.ts';
import type { Operation, Shown } from '../../application/call/operation.ts';
import { jsonParts } from '../../application/call/streamed-view.ts';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { nearestName } from '../../domain/kernel/nearest-name.ts';
import { pick } from '../../application/call/input-form.ts';
import { CONTROL, controlsOf, type ControlName } from './bound-tools.ts';
import { askForMissing, hasAnswer, withAnswer, type AskedInput } from './missing-input.ts';
import type { McpCall } from './mcp-call.ts';
import { META, RPC, RpcRefusal } from './refusal.ts';
import { TOOLS, toolOf, type Tool } from './tools.ts';

/** What a call of a tool is answered with: its result, or what the person behind the client is asked for. */
export type Called = { readonly result: JsonObject } | { readonly asks: AskedInput };

interface Control {
  readonly idempotencyKey?: string;
  readonly expectedVersions?: readonly number[];
}

/** The largest result of a read, in characters: it is held as a whole, here and by the client, and a model is to read it. */
const MAX_RESULT = 1024 * 1024;

/** Calls tools by their names. */
export class CallTool {
  private readonly checks = new Map<Tool, (control: JsonObject) => Control>();

  constructor(private readonly inputs: InputCheck) {}

  /** @throws RpcRefusal where there is no such tool. */
  toolNamed({ name }: JsonObject): Tool {
    const tool = typeof name === 'string' ? toolOf(name) : undefined;
    if (tool) return tool;
    const asked = String(name).slice(0, 64);
    const names = TOOLS.map((one) => one.name);
    const near = nearestName(asked, names);
    throw new RpcRefusal(
      RPC.invalidParams,
      'VALIDATION_ERROR',
      `There is no tool ${JSON.stringify(asked)}${near ? `; ${JSON.stringify(near)} is near` : ''}.`,
      { allowedValues: names, suggestion: 'Call one of allowedValues.' },
    );
  }

  /**
   * @param mayAsk whether the client can ask a person for what is missing.
   * @throws NotaryError
   */
  async call(call: McpCall, tool: Tool, mayAsk: boolean): Promise<Called> {
    const given = argumentsIn(call.params);
    const names: readonly string[] = controlsOf(tool.operation);
    const isControl = ([name]: readonly [string, JsonValue]): boolean => names.includes(name);
    const entries = Object.entries(given) as readonly (readonly [string, JsonValue])[];
    const control = this.checkOf(tool)(Object.fromEntries(entries.filter(isControl)));
    const args = Object.fromEntries(entries.filter((one) => !isControl(one)));
    // A co-signature is over the arguments, so they say everything.
    const mayBeAsked = mayAsk && !call.isCoSigned;
    if (mayBeAsked && !hasAnswer(call.params)) {
      const asks = await askForMissing(call, tool, args);
      if (asks) return { asks };
    }
    const input = mayBeAsked ? await withAnswer(call, tool, args) : args;
    const { idempotencyKey: key, expectedVersions } = control;
    await call.pause();
    const { shown, isReplay } = await call.perform(tool, input, { key, expectedVersions });
    call.exchange.recordId ??= recordOf(shown.view);
    await call.pause();
    const result = await resultOf(tool.operation, shown, isReplay, call.exchange.requestId);
    await call.pause();
    return { result };
  }

  private checkOf(tool: Tool): (control: JsonObject) => Control {
    const made = this.checks.get(tool) ?? this.prepare(controlsOf(tool.operation));
    this.checks.set(tool, made);
    return made;
  }

  private prepare(names: readonly ControlName[]): (control: JsonObject) => Control {
    if (names.length === 0) return () => ({});
    return this.inputs.prepare({
      noun: 'The input',
      memberNoun: 'member',
      schema: pick(CONTROL, names),
      hasHelp: false,
    });
  }
}

/** @throws NotaryError */
const argumentsIn = ({ arguments: given = {} }: JsonObject): JsonObject => {
  if (isObject(given)) return given;
  throw new NotaryError('VALIDATION_ERROR', 'The arguments of a tool are an object.', {
    errors: [{ path: '', keyword: 'type', message: 'must be an object' }],
  });
};

/** With guidance in words first, then the whole as text for clients that read no structured content. */
const resultOf = async (
  { effect, isStreamed }: Operation,
  { view, version, isNew }: Shown,
  isReplay: boolean,
  requestId: string,
): Promise<JsonObject> => {
  // What was written is told, however long it is: its input had a bound.
  const text = effect === 'write' ? JSON.stringify(view) : await textOf(view);
  const structuredContent = (isStreamed ? JSON.parse(text) : view) as JsonObject;
  const guidance = guidanceOf(structuredContent);
  return {
    content: [
      ...(guidance === '' ? [] : [{ type: 'text', text: guidance }]),
      { type: 'text', text },
    ],
    structuredContent,
    _meta: {
      [META.requestId]: requestId,
      ...(version === undefined ? {} : { [META.version]: version }),
      ...(isNew === undefined ? {} : { [META.isNew]: isNew }),
      ...(isReplay ? { [META.isReplay]: true } : {}),
    },
  };
};

/** @throws NotaryError PAYLOAD_TOO_LARGE; what is beyond it is not read. */
export const textOf = async (view: unknown): Promise<string> => {
  let text = '';
  for await (const part of jsonParts(view)) {
    text += part;
    if (text.length > MAX_RESULT)
      throw new NotaryError(
        'PAYLOAD_TOO_LARGE',
        `What a tool reads has at most ${MAX_RESULT} characters here, and this has more.`,
        {
          suggestion:
            'Ask for less: a smaller limit, or an export without evidence and subtree. REST has no such bound: GET /v1/records/{id}/audit-export.',
        },
      );
  }
  return text;
};

interface Step {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly description: string;
}

const guidanceOf = ({ suggestion, nextSteps }: JsonObject): string => {
  const steps = (Array.isArray(nextSteps) ? nextSteps : []) as unknown as readonly Step[];
  return [
    ...(typeof suggestion === 'string' ? [suggestion] : []),
    ...steps.map(
      ({ tool, arguments: given, description }) =>
        `Next: ${tool} ${JSON.stringify(given)}: ${description}`,
    ),
  ].join('\n');
};

const recordOf = (view: unknown): string | null => {
  const { id, recordId, rootRecordId } = view as { readonly [member: string]: unknown };
  if (typeof recordId === 'string') return recordId;
  return typeof rootRecordId === 'string' && typeof id === 'string' ? id : null;
};
