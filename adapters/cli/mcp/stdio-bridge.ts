import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Io } from '../io.ts';
import { HostForms } from './host-forms.ts';
import { isPlain } from './plain-header.ts';
import { linesOf } from './lines.ts';
import {
  awayBecause,
  CO_SIGNATURE,
  coSignElsewhere,
  refusedBy,
  wordsOf,
  type ServiceClient,
} from './service-client.ts';

/** As much as the service takes in one request, at most. */
const MAX_LINE = 32 * 1024 * 1024;
const ACCEPT = { accept: 'application/json, text/event-stream' } as const;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
}

/**
 * A host on this machine speaks to the tools of the service: one JSON text a line. Each line goes to POST /mcp byte for
 * byte, so that what is sealed is what was said; the service speaks the versions of the protocol, of 2026 and of 2025.
 * Where a host of 2025 shows forms, its calls go on with the same values, as `HostForms` has it.
 */
export class StdioBridge {
  /** Agreed on by `initialize`; every request of 2025 names it from then on. */
  private agreed: string | undefined;
  private readonly forms = new HostForms((message) => this.write(message));

  constructor(
    private readonly service: Pick<ServiceClient, 'send'>,
    private readonly io: Pick<Io, 'stderr' | 'print'>,
  ) {}

  /** Until the host closes its end, and what it asked is answered. */
  async run(input: AsyncIterable<Uint8Array>): Promise<void> {
    const underWay = new Set<Promise<void>>();
    for await (const line of linesOf(input, MAX_LINE)) {
      const text = new TextDecoder().decode(line).trim();
      const message = messageIn(text);
      if (text === '' || (message && this.forms.takes(message))) continue;
      // A host that takes no answer any more is gone.
      const answering = this.answer(line, message)
        .catch(() => undefined)
        .finally(() => underWay.delete(answering));
      underWay.add(answering);
      // What follows names the version that this one agrees on.
      if (message?.method === 'initialize') await answering;
    }
    this.forms.end();
    await Promise.all(underWay);
  }

  private async answer(line: Uint8Array, message: Message | null): Promise<void> {
    let answered: Answered | null;
    try {
      answered = await this.answerTo(line, message);
    } catch (cause) {
      return this.fail(message, awayBecause(cause));
    }
    if (!answered) return;
    // A refusal of the whole request names no id, and over one stream it has to.
    const isNameless = answered.error !== undefined && (answered.id ?? null) === null;
    if (message?.id === undefined && isNameless)
      this.io.stderr(`notary mcp: ${answered.error?.message ?? 'refused'}\n`);
    // A notification has no answer; what is no message, such as a batch, has one without an id.
    if (message && message.id === undefined && isNameless) return;
    if (isNameless) answered.id = message?.id ?? null;
    await this.write(withWhereToCoSign(answered));
  }

  /** Null where there is none, as of a notification. */
  private async answerTo(line: Uint8Array, message: Message | null): Promise<Answered | null> {
    const isOf2025 = this.agreed !== undefined;
    const asked = isOf2025
      ? await this.forms.call(line, ({ request, headers }) =>
          this.send(JSON.stringify(request), { ...ACCEPT, ...headers }),
        )
      : null;
    const answered = asked ?? (await this.send(line, this.headersOf(message)));
    if (message?.method === 'initialize') {
      this.agreed = (answered as Answered | null)?.result?.protocolVersion;
      this.forms.begins(message.params);
    }
    return answered;
  }

  private async send(
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>>,
  ): Promise<JsonObject | null> {
    const answer = await this.service.send('POST', '/mcp', body, headers);
    const { status, text } = answer;
    if (text === '') return null;
    const answered = JSON.parse(text) as JsonObject;
    // Refused before anybody looked for a message in it, as by a service that is full.
    if (answered['jsonrpc'] === undefined)
      throw new Error(`it answered ${status}, ${wordsOf(refusedBy(answer))}`);
    return answered;
  }

  private headersOf(message: Message | null): Record<string, string> {
    const { method, params } = message ?? {};
    const meta = params?.['_meta'] as { readonly [key: string]: unknown } | undefined;
    const spoken = meta?.[VERSION_KEY] ?? this.agreed;
    const name = params?.['name'] ?? params?.['uri'];
    return {
      ...ACCEPT,
      ...(isPlain(spoken) ? { 'mcp-protocol-version': spoken } : {}),
      ...(isPlain(method) ? { 'mcp-method': method } : {}),
      ...(isPlain(name) ? { 'mcp-name': name } : {}),
    };
  }

  /** A model reads the results of tools; errors of the protocol are for its host. */
  private async fail(message: Message | null, words: string): Promise<void> {
    this.io.stderr(`notary mcp: ${words}\n`);
    if (message?.id === undefined) return;
    const head = { jsonrpc: '2.0', id: message.id };
    const sentence = `Nothing is known of this call: ${words}. Try again later, with the same idempotencyKey.`;
    const resultType = message.params?.['_meta'] ? { resultType: 'complete' } : {};
    await this.write(
      message.method === 'tools/call'
        ? {
            ...head,
            result: { ...resultType, content: [{ type: 'text', text: sentence }], isError: true },
          }
        : { ...head, error: { code: -32000, message: words } },
    );
  }

  private write(answer: object): Promise<void> {
    return this.io.print(`${JSON.stringify(answer)}\n`);
  }
}

interface Answered {
  id?: string | number | null;
  readonly result?: {
    readonly protocolVersion?: string;
    readonly content?: { type: string; text: string }[];
    readonly _meta?: { readonly 'notary/problem'?: { readonly reason?: string } };
  };
  readonly error?: { readonly message: string };
}

const withWhereToCoSign = (answered: Answered): Answered => {
  if (answered.result?._meta?.['notary/problem']?.reason === CO_SIGNATURE)
    answered.result.content?.push({ type: 'text', text: coSignElsewhere });
  return answered;
};

const messageIn = (text: string): Message | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};
