import type { ProblemDocument } from './shapes.ts';

/** An answer that was read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null unless this is a problem document. */
  readonly problem: ProblemDocument | null;
  /** How often the call was sent. */
  readonly attempts: number;
}

const utf8 = new TextDecoder();

/** An answer is longer than the caller takes, whoever gave it; another one would be as long. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';

  constructor(maxBytes: number) {
    super(`the answer has more than ${maxBytes} bytes`);
  }
}

/** @throws TypeError where the connection ends before the answer does; AnswerTooLong */
export const readAnswer = async (
  response: Response,
  attempts: number,
  maxBytes: number,
): Promise<Answered> => {
  const { status, headers } = response;
  const bytes = await bytesIn(response, maxBytes);
  const isProblem = status >= 400 && /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status, headers, bytes, problem: isProblem ? problemIn(bytes) : null, attempts };
};

const bytesIn = async ({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) break;
    size += part.value.length;
    if (size > maxBytes) {
      void reader?.cancel().catch(() => undefined);
      throw new AnswerTooLong(maxBytes);
    }
    parts.push(part.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

/** @throws SyntaxError */
export const jsonOf = ({ bytes }: Pick<Answered, 'bytes'>): unknown =>
  JSON.parse(utf8.decode(bytes));

const problemIn = (bytes: Uint8Array<ArrayBuffer>): ProblemDocument | null => {
  try {
    const value = jsonOf({ bytes });
    return isProblemDocument(value) ? value : null;
  } catch {
    return null;
  }
};

const isProblemDocument = (value: unknown): value is ProblemDocument =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'detail' in value &&
  typeof value.detail === 'string';
