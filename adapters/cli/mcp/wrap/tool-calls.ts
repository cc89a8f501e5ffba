import {
  canonicalJsonBytes,
  type JsonObject,
  type JsonValue,
} from '../../../../domain/kernel/canonical-json.ts';
import { sha256Hex } from '../../../../domain/kernel/digest.ts';
import type { Outcome } from './wrap-type.ts';

/** What is to be sealed: the criteria of one record. */
export type Fact = JsonObject;

export interface Noted {
  readonly id: string | number;
  readonly fact: Fact;
}

interface Pending {
  readonly about: JsonObject;
  readonly startedAt: number;
  wasCancelled: boolean;
}

export interface SessionOptions {
  readonly session: string;
  /** That was run. */
  readonly command: string;
  readonly hasContents: boolean;
  /** ms, of a clock that only goes forward. */
  readonly now: () => number;
}

const NEWLINE = 0x0a;
const MAX_NAME = 256;
/** What is longer is sealed by its hash alone: a record has a bound. */
const MAX_CONTENT = 256 * 1024;
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** Which calls of tools a host made, and how each of them ended. It reads copies, and changes nothing. */
export class ToolCalls {
  /** By id; a host that uses an id twice is answered in its order. */
  private readonly pending = new Map<string, Pending[]>();
  private count = 0;
  /** What the tool server calls itself. */
  private server: string | undefined;

  constructor(private readonly options: SessionOptions) {}

  /** The calls in a line of the host. */
  asked(line: Uint8Array): readonly Noted[] {
    return messagesIn(line).flatMap((message) => {
      const { method, id, params } = message;
      if (method === 'notifications/cancelled') this.cancelled(params);
      if (method !== 'tools/call' || !isId(id)) return [];
      const { name, arguments: given = {} } = isObject(params) ? params : {};
      const about = {
        session: this.options.session,
        call: this.count++,
        command: this.options.command,
        ...(this.server === undefined ? {} : { server: this.server }),
        tool: named(name),
        requestId: JSON.stringify(id).slice(0, MAX_NAME),
      };
      const key = keyOf(id);
      const calls = this.pending.get(key) ?? [];
      calls.push({ about, startedAt: this.options.now(), wasCancelled: false });
      this.pending.set(key, calls);
      const fact = {
        event: 'call',
        ...about,
        messageSha256: sha256Hex(withoutNewline(line)),
        ...this.content('arguments', given as JsonValue),
      };
      return [{ id, fact }];
    });
  }

  /** The answers to calls in a line of the tool server. */
  answered(line: Uint8Array): readonly Noted[] {
    return messagesIn(line).flatMap((message) => {
      const { id, result, error, method } = message;
      this.server ??= serverIn(result);
      if (method !== undefined || !isId(id) || (result === undefined && error === undefined))
        return [];
      const call = this.take(id);
      if (!call) return [];
      const isResult = error === undefined;
      const outcome: Outcome = !isResult
        ? 'error'
        : needsInput(result)
          ? 'input-required'
          : 'result';
      const fact = {
        ...this.ended(call, outcome),
        ...(isObject(result) && typeof result['isError'] === 'boolean'
          ? { isError: result['isError'] }
          : {}),
        messageSha256: sha256Hex(withoutNewline(line)),
        ...this.content('result', (isResult ? result : error) as JsonValue),
      };
      return [{ id, fact }];
    });
  }

  /** A call that the tool server never saw. */
  notForwarded(id: string | number, reason: string): Fact | null {
    const call = this.take(id);
    return call ? { ...this.ended(call, 'not-forwarded'), reason } : null;
  }

  /** What was asked and will not be answered any more. */
  unanswered(reason: string): readonly Fact[] {
    const left = [...this.pending.values()].flat();
    this.pending.clear();
    return left.map((call) => ({ ...this.ended(call, 'unanswered'), reason }));
  }

  private ended({ about, startedAt, wasCancelled }: Pending, outcome: Outcome): Fact {
    return {
      event: 'result',
      ...about,
      outcome,
      elapsedMs: Math.max(0, Math.round(this.options.now() - startedAt)),
      ...(wasCancelled ? { wasCancelled } : {}),
    };
  }

  private take(id: string | number): Pending | undefined {
    const key = keyOf(id);
    const calls = this.pending.get(key);
    const call = calls?.shift();
    if (calls?.length === 0) this.pending.delete(key);
    return call;
  }

  /** Its tool server may answer all the same. */
  private cancelled(params: unknown): void {
    const id = isObject(params) ? params['requestId'] : undefined;
    const [call] = (isId(id) && this.pending.get(keyOf(id))) || [];
    if (call) call.wasCancelled = true;
  }

  private content(name: 'arguments' | 'result', value: JsonValue): JsonObject {
    const canonical = canonicalOf(value);
    if (canonical === null) return {};
    return {
      [`${name}Sha256`]: sha256Hex(canonical),
      ...(this.options.hasContents && canonical.length <= MAX_CONTENT ? { [name]: value } : {}),
    };
  }
}

/** 1 and "1" are two ids. */
const keyOf = (id: string | number): string => JSON.stringify(id);

const isId = (id: unknown): id is string | number =>
  typeof id === 'string' || typeof id === 'number';

/** MCP 2026-07-28: the server asks back, and the client calls again; no result yet. */
const needsInput = (result: unknown): boolean =>
  isObject(result) && result['resultType'] === 'input_required';

/** Null where the value has no canonical form, such as a text that is no Unicode; the line has a hash all the same. */
const canonicalOf = (value: JsonValue): Uint8Array | null => {
  try {
    return canonicalJsonBytes(value);
  } catch {
    return null;
  }
};

/** A name as far as a record can hold it. */
const named = (name: unknown): string =>
  typeof name === 'string' && canonicalOf(name) !== null ? name.slice(0, MAX_NAME) : '';

/** With `initialize` in 2025, with any result since. */
const serverIn = (result: unknown): string | undefined => {
  if (!isObject(result)) return undefined;
  const { serverInfo, _meta: meta } = result;
  const told = serverInfo ?? (isObject(meta) ? meta[SERVER_INFO] : undefined);
  if (!isObject(told)) return undefined;
  return `${named(told['name'])} ${named(told['version'])}`.trim().slice(0, MAX_NAME);
};

const withoutNewline = (line: Uint8Array): Uint8Array =>
  line.at(-1) === NEWLINE ? line.subarray(0, -1) : line;

/** The messages of a line: one, or those of a batch, which 2025-03-26 had. What is none passes. */
const messagesIn = (line: Uint8Array): readonly { readonly [member: string]: unknown }[] => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    return (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isObject);
  } catch {
    return [];
  }
};

const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
