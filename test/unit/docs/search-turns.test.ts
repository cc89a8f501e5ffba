import { describe, expect, it } from 'vitest';
import { DocumentationSearch } from '../../../adapters/docs/reference/search.ts';

const PARTS = 344;
const parts = Array.from({ length: PARTS }, (_, at) => ({
  href: `/docs/${at}`,
  title: `Part ${at}`,
  place: 'Guide',
  text: `record key checkpoint delivery ${'word '.repeat(100)}${at}`,
}));
const search = (): DocumentationSearch =>
  new DocumentationSearch({
    read: (name) =>
      Promise.resolve(
        new TextEncoder().encode(
          name === 'search.json' ? JSON.stringify(parts) : '<!--title--><!--main-->',
        ),
      ),
  });

/** How many turns of the event loop it takes, if each of them also does 2 ms of other work. */
const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    for (const until = performance.now() + 2; performance.now() < until;);
    turns++;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => (isDone = true));
  return turns;
};

// Beside other work each turn waits for its next one: 86 turns took 1.6 s while each turn did 10 ms of other work.
describe('the search', () => {
  it('indexes in a few turns of the event loop', async () => {
    await search().page('record');
    const turns = await turnsOf(() => search().page('record'));
    expect(turns).toBeGreaterThan(1);
    expect(turns).toBeLessThan(60);
  });

  it('answers one query in a turn, if 20 come at once', async () => {
    const asked = search();
    await asked.page('record');
    const turns = await turnsOf(() =>
      Promise.all(Array.from({ length: 20 }, () => asked.page('record key'))),
    );
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});
