import {
  awayBecause,
  refusedBy,
  wordsOf,
  type ServiceAnswer,
  type ServiceClient,
} from '../service-client.ts';
import { isObject } from './messages.ts';
import type { Spooled } from './spool.ts';

/** What came of one attempt. */
export type Attempt =
  | { readonly is: 'sealed' }
  /** It may be taken later; `after` is how many seconds to wait at least, `isCrowded` that there is too much to do. */
  | { readonly is: 'away'; why: string; after: number; isCrowded: boolean }
  /** An operator may mend it: it waits for the next run. */
  | { readonly is: 'kept'; why: string }
  | { readonly is: 'refused'; why: string };

/** What the service will take later, if nothing else changes. A 409 is the first request under this key, which still runs. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const CROWDED = 429;
/** An input that is not taken: malformed, too large, or not as the record type has it. What else is refused (the key, its scopes, the type, an address that moved) an operator may mend. */
const REFUSED_CONTENT: ReadonlySet<number> = new Set([400, 413, 422]);
/** However long a service, or whoever answers in its place, asks to be left alone. */
const LONGEST_ASKED_S = 300;

/** @param onBare is told where its hash alone is sent. */
export const sendFact = async (
  service: Pick<ServiceClient, 'send'>,
  spooled: Spooled,
  signal: AbortSignal,
  onBare: () => void,
): Promise<Attempt> => {
  try {
    const answer = await post(service, spooled, signal);
    // The hashes are of use without what they are of.
    const bare = REFUSED_CONTENT.has(answer.status) ? withoutContents(spooled) : null;
    if (!bare) return cameOf(answer);
    onBare();
    return cameOf(await post(service, bare, signal));
  } catch (cause) {
    return { is: 'away', why: awayBecause(cause), after: 0, isCrowded: false };
  }
};

const post = (
  service: Pick<ServiceClient, 'send'>,
  { key, body }: Spooled,
  signal: AbortSignal,
): Promise<ServiceAnswer> =>
  service.send('POST', '/v1/records', JSON.stringify(body), { 'idempotency-key': key }, signal);

const cameOf = (answer: ServiceAnswer): Attempt => {
  const { status, retryAfter } = answer;
  if (status === 201 || status === 200)
    return isRecord(answer.text)
      ? { is: 'sealed' }
      : { is: 'away', why: 'what answers is no notary', after: 0, isCrowded: false };
  const refusal = wordsOf(refusedBy(answer));
  if (status >= 500 || PASSING.has(status))
    return {
      is: 'away',
      why: `the notary answers ${status}: ${refusal}`,
      after: Math.min(LONGEST_ASKED_S, Math.max(0, retryAfter ?? 0)),
      isCrowded: status === CROWDED,
    };
  return REFUSED_CONTENT.has(status)
    ? { is: 'refused', why: `the notary refuses a fact for good: ${refusal}` }
    : {
        is: 'kept',
        why: `the notary refuses a fact, which waits for the next run: ${refusal}`,
      };
};

/** A page for signing in has the status 200 as well. */
const isRecord = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value['id'] === 'string';
  } catch {
    return false;
  }
};

/** Under a key of its own, for it is another record; null where there are no contents. */
const withoutContents = ({ key, body }: Spooled): Spooled | null => {
  const { criteria } = body;
  if (!isObject(criteria) || !('arguments' in criteria || 'result' in criteria)) return null;
  const { arguments: _arguments, result: _result, ...bare } = criteria;
  return { key: `${key}-bare`, body: { ...body, criteria: bare } };
};
