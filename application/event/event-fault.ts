import type { Uuid } from '../../domain/kernel/ids.ts';

/**
 * What somebody else did to the events of the database: a row or a number that the service did not write, numbers that are
 * missing, or a counter that is not where its rows are.
 */
export type EventFault =
  | { readonly fault: 'row' | 'number'; readonly id: Uuid; readonly sequence: number | null }
  | { readonly fault: 'hole'; readonly after: number; readonly before: number }
  | { readonly fault: 'counter'; readonly last: number | null; readonly newest: number };

/** Never throws. */
export type TellEventFault = (fault: EventFault) => void;
