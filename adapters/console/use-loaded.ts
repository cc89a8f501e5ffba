import { useEffect, useState } from 'preact/hooks';
import { isRefusedKey, sentenceOf } from './sentence-of.ts';
import { useSession } from './session.ts';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'ready'; readonly value: T };

/**
 * What a view reads. It is read anew when a part of `of` changes; an answer to what is no longer asked is dropped. A key
 * that the service refuses ends the session.
 */
export const useLoaded = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  of: readonly unknown[],
): Loaded<T> => {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const { signOut } = useSession();
  useEffect(() => {
    const asked = new AbortController();
    setLoaded({ state: 'loading' });
    load(asked.signal).then(
      (value) => {
        if (!asked.signal.aborted) setLoaded({ state: 'ready', value });
      },
      (error: unknown) => {
        if (asked.signal.aborted) return;
        if (isRefusedKey(error)) signOut(sentenceOf(error));
        else setLoaded({ state: 'failed', sentence: sentenceOf(error) });
      },
    );
    return () => asked.abort();
  }, of);
  return loaded;
};
