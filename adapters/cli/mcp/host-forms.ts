import {
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../domain/kernel/canonical-json.ts';
import { isPlain } from './plain-header.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../../domain/kernel/strict-json.ts';

const KEYS = 'io.modelcontextprotocol/';
/** By which a client asks today. */
const VERSION = '2026-07-28';
/** The service asks once; another one might ask on. */
const MAX_ROUNDS = 4;

/** A call of a tool as it is made today, so that the service may ask back. */
export interface ModernCall {
  readonly request: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a call and gives its result, or the whole answer where there is none. */
export type SendCall = (call: ModernCall) => Promise<JsonObject | null>;

/**
 * Lets a host of 2025 show forms: it is asked by a request of the server, while its call waits. The service keeps no
 * sessions and asks in its answer, as 2026-07-28 has it; so one is made of the other here, where there is one host.
 */
export class HostForms {
  /** What the host was asked, by the id of the request. */
  private readonly asked = new Map<string, (answer: JsonValue) => void>();
  private isShown = false;
  private count = 0;
  private isOver = false;

  constructor(private readonly say: (message: JsonObject) => Promise<void>) {}

  /** Hears how the host begins. */
  begins(params: unknown): void {
    const { capabilities } = (isObject(params as JsonValue) ? params : {}) as JsonObject;
    const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
    this.isShown = isObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
  }

  /** Whether the message is the answer to what the host was asked: nobody else is to hear it. */
  takes(message: object): boolean {
    const { id, result, error } = message as { readonly [member: string]: unknown };
    const answer = typeof id === 'string' ? this.asked.get(id) : undefined;
    if (!answer || (result === undefined && error === undefined)) return false;
    this.asked.delete(id as string);
    answer((result ?? DECLINED) as JsonValue);
    return true;
  }

  /** The host is gone, and answers nothing any more. */
  end(): void {
    this.isOver = true;
    for (const answer of this.asked.values()) answer(DECLINED);
    this.asked.clear();
  }

  /**
   * The answer to a call of a tool; null where the line is none that a form could help, and goes on as it is. What is
   * sent instead has the same values: a line of which that is not certain is left to the service.
   */
  async call(line: Uint8Array, send: SendCall): Promise<JsonObject | null> {
    const message = this.isShown ? strictly(line) : null;
    const given = message?.['method'] === 'tools/call' ? message['params'] : undefined;
    if (!isObject(given) || !isPlain(given['name'])) return null;
    let params = modern(given);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const request = { ...message, params };
      const answer = await send({ request, headers: headersOf(params) });
      const result = answer?.['result'];
      if (!isObject(result)) return answer;
      const { resultType, ...told } = result;
      if (resultType !== 'input_required') return { ...answer, result: told };
      params = { ...params, inputResponses: await this.answersTo(told['inputRequests']) };
    }
    return null;
  }

  private async answersTo(requests: JsonValue | undefined): Promise<JsonObject> {
    if (!isObject(requests)) return {};
    const answers: { [key: string]: JsonValue } = {};
    for (const [key, request] of Object.entries(requests)) answers[key] = await this.ask(request);
    return answers;
  }

  private ask(request: JsonValue | undefined): Promise<JsonValue> {
    if (this.isOver || !isObject(request) || request['method'] !== 'elicitation/create')
      return Promise.resolve(DECLINED);
    const id = `notary-${this.count++}`;
    return new Promise((resolve, reject) => {
      this.asked.set(id, resolve);
      const { method, params } = request as {
        readonly method: string;
        readonly params: JsonObject;
      };
      this.say({ jsonrpc: '2.0', id, method, params }).catch(reject);
    });
  }
}

const DECLINED = { action: 'cancel' } as const;

/** Null where two parsers could read the line differently. */
const strictly = (line: Uint8Array): JsonObject | null => {
  try {
    const value = parseStrictJson(decodeUtf8Strict(line).trim());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

const modern = (params: JsonObject): JsonObject => ({
  ...params,
  _meta: {
    ...(isObject(params['_meta']) ? params['_meta'] : {}),
    [`${KEYS}protocolVersion`]: VERSION,
    [`${KEYS}clientInfo`]: { name: 'notary mcp', version: VERSION },
    [`${KEYS}clientCapabilities`]: { elicitation: { form: {} } },
  },
});

const headersOf = ({ name }: JsonObject): Readonly<Record<string, string>> => ({
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': String(name),
});
