import { el } from './elements.ts';

export const UNSEALED_MARK = '°';

/** A name, with a mark that says for the eye and for the ear that it is not signed. */
export const name = (text: string): HTMLElement =>
  el(
    'span',
    { class: 'name', title: 'This name is not sealed' },
    `“${text}”`,
    el('abbr', { title: 'name not sealed', 'aria-label': 'name not sealed' }, UNSEALED_MARK),
  );
