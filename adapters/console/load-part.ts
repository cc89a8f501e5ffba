import type * as Plots from './plots.ts';
import type * as Verifier from './verifier.ts';

/** Parts that the first view does not need, beside the script of the console. */
const loaded = <T>(name: string): (() => Promise<T>) => {
  let part: Promise<T> | null = null;
  return () => {
    part ??= (import(new URL(name, import.meta.url).href) as Promise<T>).catch((cause: unknown) => {
      part = null;
      throw new Error('a part of it could not be loaded; reload the page', { cause });
    });
    return part;
  };
};

export const loadVerifier = loaded<typeof Verifier>('verifier.js');
export const loadPlots = loaded<typeof Plots>('plots.js');
