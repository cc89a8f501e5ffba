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

/** @throws TypeError where the connection ends before the answer does. */
export const readAnswer = async (response: Response, attempts: number): Promise<Answered> => {
  const { status, headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isProblem = status >= 400 && /\bjson\b/.test(headers.get('content-type') ?? '');
  return { status, headers, bytes, problem: isProblem ? problemIn(bytes) : null, attempts };
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
