import { useState } from 'preact/hooks';

/** Where a reader stands in a listing that goes on by cursors. */
export interface Walk {
  readonly cursor: string | undefined;
  readonly page: number;
  next(cursor: string): void;
  back(): void;
  restart(): void;
}

export const useWalk = (): Walk => {
  const [before, setBefore] = useState<readonly (string | undefined)[]>([undefined]);
  return {
    cursor: before.at(-1),
    page: before.length,
    next: (cursor) => setBefore([...before, cursor]),
    back: () => setBefore(before.slice(0, -1)),
    restart: () => setBefore([undefined]),
  };
};

interface PagerProps {
  readonly walk: Walk;
  readonly page: {
    readonly total: number;
    readonly totalIsCapped?: boolean;
    readonly nextCursor: string | null;
  };
}

export const Pager = ({ walk, page: { total, totalIsCapped, nextCursor } }: PagerProps) => (
  <p class="pager">
    <button type="button" class="plain" disabled={walk.page === 1} onClick={() => walk.back()}>
      Back
    </button>{' '}
    <span role="status">
      Page {walk.page}; {total.toLocaleString('en')}
      {totalIsCapped ? ' or more' : ''} in all
    </span>{' '}
    <button
      type="button"
      class="plain"
      disabled={nextCursor === null}
      onClick={() => nextCursor !== null && walk.next(nextCursor)}
    >
      Next
    </button>
  </p>
);
