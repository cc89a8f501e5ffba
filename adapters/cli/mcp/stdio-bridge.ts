import type { Io } from '../io.ts';
import { linesOf } from './lines.ts';
import {
  awayBecause,
  CO_SIGNATURE,
  coSignElsewhere,
  type ServiceClient,
} from './service-client.ts';

/** As much as the service takes in one request, at most. */
const MAX_LINE = 32 * 1024 * 1024;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
}

/**
 * A host on this machine speaks to the tools of the service: one JSON text a line. Each line goes to POST /mcp byte for
 * byte, so that what is sealed is what was said; the service speaks the versions of the protocol, of 2026 and of 2025.
 */
export class StdioBridge {
  /** Agreed on by `initialize`; every request of 2025 names it from then on. */
  private agreed: string | undefined;

  constructor(
    private readonly service: ServiceClient,
    private readonly io: Pick<Io, 'stderr' | 'print'>,
  ) {}

  /** Until the host closes its end, and what it asked is answered. */
  async run(input: AsyncIterable<Uint8Array>): Promise<void> {
    const underWay = new Set<Promise<void>>();
    for await (const line of linesOf(input, MAX_LINE)) {
      const text = new TextDecoder().decode(line).trim();
      if (text === '') continue;
      const answering = this.answer(line, messageIn(text)).finally(() =>
        underWay.delete(answering),
      );
      underWay.add(answering);
      // What follows names the version that this one agrees on.
      if (messageIn(text)?.method === 'initialize') await answering;
    }
    await Promise.all(underWay);
  }

  private async answer(line: Uint8Array, message: Message | null): Promise<void> {
    try {
      const { status, text } = await this.service.send(
        'POST',
        '/mcp',
        line,
        this.headersOf(message),
      );
      if (text === '') return;
      const answered = JSON.parse(text) as Answered;
      if (message?.method === 'initialize') this.agreed = answered.result?.protocolVersion;
      // A refusal of the whole request names no id, and over one stream it has to.
      const isNameless = answered.error !== undefined && (answered.id ?? null) === null;
      if (message?.id === undefined && isNameless)
        return void this.io.stderr(`notary mcp: ${answered.error?.message ?? status}\n`);
      if (isNameless) answered.id = message!.id!;
      await this.write(withWhereToCoSign(answered));
    } catch (cause) {
      await this.fail(message, awayBecause(cause));
    }
  }

  private headersOf(message: Message | null): Record<string, string> {
    const { method, params } = message ?? {};
    const meta = params?.['_meta'] as { readonly [key: string]: unknown } | undefined;
    const spoken = meta?.[VERSION_KEY] ?? this.agreed;
    const name = params?.['name'] ?? params?.['uri'];
    return {
      accept: 'application/json, text/event-stream',
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

/** What a header can hold. */
const isPlain = (text: unknown): text is string =>
  typeof text === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
