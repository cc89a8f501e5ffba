import { readAnswer } from '../../client/answered.ts';
import { assertSafeUrl } from '../fetch-input.ts';

const PATIENCE_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
/** They have no body (RFC 9110). */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/**
 * What the identity provider is asked with. Its metadata name the places, so each is held against the rule of addresses:
 * nothing goes to another machine in the clear. An answer is read for so long, and to so many bytes.
 *
 * @throws InputError, AnswerTooLong, or as `fetch` does
 */
export const providerFetch = async (url: string, init: object): Promise<Response> => {
  assertSafeUrl(url);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(url, { ...init, redirect: 'manual', signal });
  const { status, headers, bytes } = await readAnswer(answer, 1, MAX_BYTES);
  return new Response(EMPTY.has(status) ? null : bytes, { status, headers });
};
