import { useRef, useState } from 'preact/hooks';
import type { Loaded } from '../use-loaded.ts';
import { Guarded } from './guarded.tsx';

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

interface Page {
  readonly total: number;
  readonly totalIsCapped?: boolean;
  readonly nextCursor: string | null;
}

interface PagerProps {
  readonly walk: Walk;
  readonly of: Loaded<Page>;
}

/** Stands beside the listing, so whoever turns its pages by keyboard stays on the button while the next one is read. */
export const Pager = ({ walk, of }: PagerProps) => {
  const begun = useRef(false);
  const page = of.state === 'ready' ? of.value : null;
  begun.current ||= page !== null;
  if (!begun.current) return null;
  return (
    <Guarded of={of} name="the pages">
      <Pages walk={walk} page={page} />
    </Guarded>
  );
};

const Pages = ({ walk, page }: { readonly walk: Walk; readonly page: Page | null }) => {
  const next = page?.nextCursor ?? null;
  return (
    <p class="pager">
      <Turn isOn={walk.page > 1} onTurn={() => walk.back()}>
        Back
      </Turn>{' '}
      <span role="status">
        Page {walk.page}
        {page &&
          `; ${page.total.toLocaleString('en')}${page.totalIsCapped ? ' or more' : ''} in all`}
      </span>{' '}
      <Turn isOn={next !== null} onTurn={() => next !== null && walk.next(next)}>
        Next
      </Turn>
    </p>
  );
};

interface TurnProps {
  readonly isOn: boolean;
  readonly children: string;
  onTurn(): void;
}

/** A button that is disabled would let go of the focus. */
const Turn = ({ isOn, children, onTurn }: TurnProps) => (
  <button type="button" class="plain" aria-disabled={!isOn} onClick={() => isOn && onTurn()}>
    {children}
  </button>
);
