import {
  canonicalJsonBytes,
  type JsonObject,
  type JsonValue,
} from '../../../../domain/kernel/canonical-json.ts';
import { sha256Hex } from '../../../../domain/kernel/digest.ts';
import { exactlyIn, isObject, saidIn, type Message } from './messages.ts';
import { isId, keyOf, Outstanding, type Id } from './outstanding.ts';
import { outcomeOf, taskIn } from './outcomes.ts';
import { cut, named, serverIn } from './names.ts';
import type { Outcome } from './wrap-type.ts';

/** What is to be sealed: the criteria of one record. */
export type Fact = JsonObject;

export interface Noted {
  readonly id: Id;
  readonly fact: Fact;
}

/** What stands in a line, as far as calls of tools go. */
export interface Heard {
  readonly noted: readonly Noted[];
  /** Why the line goes no further; null where it does, once everything is noted. */
  readonly fault: string | null;
  /** Of the requests that have no other answer then. */
  readonly ids: readonly Id[];
}

interface Pending {
  readonly about: JsonObject;
  /** A call itself, or a question for the result of its task. */
  readonly asks: 'call' | 'task';
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
  /** The time of day, RFC 3339: what is sealed may have waited. */
  readonly at: () => string;
}

const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
/** What is longer is sealed by its hash alone: a record has a bound. */
const MAX_CONTENT = 256 * 1024;
const PASSES: Heard = { noted: [], fault: null, ids: [] };

/** Which calls of tools a host made, and how each of them ended. It reads copies, and changes nothing. */
export class ToolCalls {
  /** What the host asked; null where it is no call. */
  private readonly pending = new Outstanding<Pending | null>();
  /** By their ids: calls that go on as tasks. */
  private readonly tasks = new Map<string, JsonObject>();
  private count = 0;
  /** What the tool server calls itself. */
  private server: string | undefined;

  constructor(private readonly options: SessionOptions) {}

  /** The calls in a line of the host. */
  asked(line: Uint8Array): Heard {
    if (isBlank(line)) return PASSES;
    const said = saidIn(line);
    if (!said) return { ...PASSES, fault: 'it is no JSON text of one line, and may hold a call' };
    const { messages, doubt } = said;
    const fault = doubt ?? (messages.some(isCallWithoutId) ? 'a call of a tool needs an id' : null);
    const ids = messages.flatMap(({ id, method }) =>
      typeof method === 'string' && isId(id) ? [id] : [],
    );
    if (fault !== null) return { noted: [], fault, ids };
    const exact = onlyOnce(() => exactlyIn(line) !== null);
    return { noted: messages.flatMap((one) => this.request(one, line, exact)), fault: null, ids };
  }

  /** The answers to calls in a line of the tool server. */
  answered(line: Uint8Array): Heard {
    const said = saidIn(line);
    if (!said)
      return line.includes(CLOSING_BRACE)
        ? { ...PASSES, fault: 'it is no JSON text of one line, and may hold an answer' }
        : PASSES;
    let fault = said.doubt;
    const ids: Id[] = [];
    const taken = said.messages.filter(isAnswer).flatMap((message) => {
      const { id, method, result } = message;
      this.server ??= serverIn(result);
      if (method !== undefined) fault ??= 'it is a request and an answer in one';
      // Of what could not be read there is no id to name.
      if ((id ?? null) === null && result === undefined) return [];
      const found = isId(id) ? this.pending.take(id) : undefined;
      if (!found) fault ??= 'it answers what is not asked, or is answered already';
      if (found) ids.push(found.id);
      return found?.what ? [{ id: found.id, call: found.what, message }] : [];
    });
    if (fault === null) {
      const exact = onlyOnce(() => exactlyIn(line) !== null);
      const noted = taken.flatMap(({ id, call, message }) =>
        this.answer(call, message, line, exact).map((fact) => ({ id, fact })),
      );
      return { noted, fault, ids };
    }
    const reason = cut(`its answer was not passed on: ${fault}`);
    const noted = taken.map(({ id, call }) => ({
      id,
      fact: { ...this.ended(call, 'unanswered'), reason, ...hashOf(line) },
    }));
    return { noted, fault, ids };
  }

  /** A call that the tool server never saw. */
  notForwarded(id: Id, reason: string): Fact | null {
    const call = this.pending.take(id)?.what;
    return call ? { ...this.ended(call, 'not-forwarded'), reason: cut(reason) } : null;
  }

  /** What was asked and will not be answered any more. */
  unanswered(reason: string): readonly Fact[] {
    return this.pending
      .takeAll()
      .flatMap((call) =>
        call?.asks === 'call' ? [{ ...this.ended(call, 'unanswered'), reason: cut(reason) }] : [],
      );
  }

  private request(message: Message, line: Uint8Array, isExact: () => boolean): readonly Noted[] {
    const { method, id, params } = message;
    const given = isObject(params) ? params : {};
    if (method === 'notifications/cancelled') this.cancelled(given);
    if (typeof method !== 'string' || !isId(id)) return [];
    const startedAt = this.options.now();
    if (method !== 'tools/call') {
      const about = TASK_METHODS.has(method) ? this.tasks.get(String(given['taskId'])) : undefined;
      this.pending.add(id, about ? { about, asks: 'task', startedAt, wasCancelled: false } : null);
      return [];
    }
    const about = {
      session: this.options.session,
      call: this.count++,
      command: this.options.command,
      ...(this.server === undefined ? {} : { server: this.server }),
      tool: named(given['name']),
      requestId: cut(keyOf(id)),
    };
    this.pending.add(id, { about, asks: 'call', startedAt, wasCancelled: false });
    const fact = {
      event: 'call',
      ...about,
      at: this.options.at(),
      ...hashOf(line),
      ...this.content('arguments', (given['arguments'] ?? {}) as JsonValue, isExact),
    };
    return [{ id, fact }];
  }

  private answer(
    call: Pending,
    { result, error }: Message,
    line: Uint8Array,
    isExact: () => boolean,
  ): readonly Fact[] {
    const outcome = outcomeOf(call.asks, result, error);
    // How a task stands is no result of it.
    if (outcome === null) return [];
    const task = taskIn(result);
    if (task !== undefined) this.tasks.set(task, call.about);
    return [
      {
        ...this.ended(call, outcome),
        ...(isObject(result) && typeof result['isError'] === 'boolean'
          ? { isError: result['isError'] }
          : {}),
        ...hashOf(line),
        ...this.content('result', (error === undefined ? result : error) as JsonValue, isExact),
      },
    ];
  }

  private ended({ about, startedAt, wasCancelled }: Pending, outcome: Outcome): Fact {
    return {
      event: 'result',
      ...about,
      at: this.options.at(),
      outcome,
      elapsedMs: Math.max(0, Math.round(this.options.now() - startedAt)),
      ...(wasCancelled ? { wasCancelled } : {}),
    };
  }

  /** Its tool server may answer all the same. */
  private cancelled({ requestId }: Message): void {
    const call = isId(requestId) ? this.pending.find(requestId) : undefined;
    if (call) call.wasCancelled = true;
  }

  /** None where the line has no one value: it has a hash all the same. */
  private content(
    name: 'arguments' | 'result',
    value: JsonValue,
    isExact: () => boolean,
  ): JsonObject {
    if (!isExact()) return {};
    const canonical = canonicalJsonBytes(value);
    return {
      [`${name}Sha256`]: sha256Hex(canonical),
      ...(this.options.hasContents && canonical.length <= MAX_CONTENT ? { [name]: value } : {}),
    };
  }
}

/** 2025-11-25, and the extension of 2026-07-28: a call may be answered with a task, and its result be asked for later. */
const TASK_METHODS: ReadonlySet<string> = new Set(['tasks/result', 'tasks/get']);

const isBlank = (line: Uint8Array): boolean =>
  line.length < 16 && /^[ \t\r\n]*$/.test(new TextDecoder().decode(line));

const isCallWithoutId = ({ method, id }: Message): boolean => method === 'tools/call' && !isId(id);

const isAnswer = ({ result, error }: Message): boolean =>
  result !== undefined || error !== undefined;

const hashOf = (line: Uint8Array): JsonObject => ({
  messageSha256: sha256Hex(line.at(-1) === NEWLINE ? line.subarray(0, -1) : line),
});

const onlyOnce = (look: () => boolean): (() => boolean) => {
  let seen: boolean | undefined;
  return () => (seen ??= look());
};
