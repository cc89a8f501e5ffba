import { bearer } from '../client/credential.ts';
import { InputError, reasonOf } from './input-error.ts';

const HEADERS_TIMEOUT_MS = 30_000;

export const isUrl = (name: string): boolean => /^https?:\/\//i.test(name);

/**
 * The body at a URL, as it arrives. Plain HTTP is for this machine alone: on its way anyone could change what is
 * trusted, or read the key. A redirect is not followed, because the key is meant for the address that was given.
 *
 * @param apiKey sent as a bearer token; null for what anyone may read.
 * @throws InputError that says what to do.
 */
export const fetchInput = async (
  url: string,
  accept: string,
  apiKey: string | null,
): Promise<AsyncIterable<Uint8Array>> => {
  assertSafeUrl(url);
  const patience = new AbortController();
  const timer = setTimeout(
    () => patience.abort(new Error(`no answer within ${HEADERS_TIMEOUT_MS / 1000} s`)),
    HEADERS_TIMEOUT_MS,
  );
  try {
    const answer = await fetch(url, {
      headers: { accept, ...(apiKey === null ? {} : { authorization: bearer(apiKey) }) },
      redirect: 'manual',
      signal: patience.signal,
    });
    if (!answer.ok) throw new Error(await refusalOf(answer, apiKey));
    return answer.body ?? noBytes();
  } catch (cause) {
    throw new InputError(`${url} cannot be fetched: ${reasonOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
};

/** A key goes nowhere that anybody could listen to. @throws InputError */
export const assertSafeUrl = (text: string): void => {
  if (!URL.canParse(text)) throw new InputError(`${text} is no URL`);
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '')
    throw new InputError('a URL holds no password here: put the key into NOTARY_API_KEY');
  // The parser of URLs writes every address in its one form: 0x7f.1 is 127.0.0.1 here.
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !isLoopback)
    throw new InputError(`${text} is not fetched: use https, or http on this machine`);
};

/** The problem document (RFC 9457) of a refusal in words, where there is one. */
const refusalOf = async (answer: Response, apiKey: string | null): Promise<string> => {
  const said = `the answer was ${answer.status}`;
  if (answer.status >= 300 && answer.status < 400)
    return `${said}, which leads to ${answer.headers.get('location') ?? 'nowhere'}; give that address if you trust it`;
  const problem = await problemIn(answer).catch(() => null);
  const word = (name: string): string => {
    const value: unknown = (problem as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? ` ${value.slice(0, 500)}` : '';
  };
  const asked = apiKey === null && answer.status === 401;
  return `${said}:${word('detail')}${word('suggestion')}${asked ? ' NOTARY_API_KEY holds the key to fetch it with.' : ''}`;
};

const MAX_PROBLEM_LENGTH = 65_536;

const problemIn = async ({ body }: Response): Promise<unknown> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? noBytes()) {
    length += part.length;
    if (length > MAX_PROBLEM_LENGTH) return null;
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
};

async function* noBytes(): AsyncIterable<Uint8Array> {}
