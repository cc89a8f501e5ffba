import type { Page, Pages } from '../../client/pages.ts';
import { ShellError } from './shell-error.ts';

/** More than a service has; one that goes on beyond it would fill the memory. */
const MAX_ITEMS = 100_000;
const MAX_PAGES = 10_000;

/** The items of a listing, up to a number of them, and the total that the service tells. @throws ShellError where it does not end */
export const collectItems = async <T>(
  listing: Pick<Pages<Page<T>>, 'pages'>,
  limit = Infinity,
): Promise<{ readonly items: readonly T[]; readonly total: number }> => {
  const items: T[] = [];
  let total = 0;
  let count = 0;
  for await (const page of listing.pages()) {
    ({ total } = page);
    for (const item of page.data) items.push(item);
    if (items.length >= limit) break;
    if (++count >= MAX_PAGES || items.length >= MAX_ITEMS)
      throw new ShellError(
        `The listing of the service does not end: it has more than ${items.length} items on ${count} pages.`,
        1,
      );
  }
  return { items: items.slice(0, limit), total };
};
