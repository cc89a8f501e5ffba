import { useEffect, useState } from 'preact/hooks';
import { isRefusedKey, sentenceOf } from './sentence-of.ts';
import { useSession } from './session.ts';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'ready'; readonly value: T };

/** What was read, and for what it was asked. */
interface Answer<T> {
  readonly of: readonly unknown[];
  readonly loaded: Loaded<T>;
}

const LOADING: Loaded<never> = { state: 'loading' };

/**
 * What a view reads. It is read anew when a part of `of` changes; an answer to what is no longer asked is dropped, and
 * never shown for what is asked now. A key that the service refuses ends the session.
 */
export const useLoaded = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  of: readonly unknown[],
): Loaded<T> => {
  const [answer, setAnswer] = useState<Answer<T>>({ of, loaded: LOADING });
  const { signOut } = useSession();
  useEffect(() => {
    const asked = new AbortController();
    load(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) setAnswer({ of, loaded: { state: 'ready', value } });
      },
      (error: unknown) => {
        if (asked.signal.aborted) return;
        if (isRefusedKey(error)) signOut(sentenceOf(error));
        else setAnswer({ of, loaded: { state: 'failed', sentence: sentenceOf(error) } });
      },
    );
    return () => asked.abort();
  }, of);
  return answer.of.every((part, index) => Object.is(part, of[index])) ? answer.loaded : LOADING;
};
