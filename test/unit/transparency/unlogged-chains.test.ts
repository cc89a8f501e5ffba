import { expect, it } from 'vitest';
import { UnloggedChains, type Look } from '../../../application/transparency/unlogged-chains.ts';
import type { RecordInSight } from '../../../domain/transparency/statement-log.port.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ago: number): string => new Date(NOW - ago).toISOString();
const WINDOW = at(5_000);

/** Records that changed so many ms ago, the newest last. */
const chainsOf = (agos: readonly number[]) => {
  const records = agos.map((ago, n): RecordInSight => ({
    chainKey: `chain-${String(n).padStart(5, '0')}`,
    changedAt: at(ago),
  }));
  const asked: number[] = [];
  const chains = new UnloggedChains(
    {
      changedRecords: ({ changedAt, chainKey }, limit) =>
        Promise.resolve(
          records
            .filter(
              (r) =>
                r.changedAt > changedAt || (r.changedAt === changedAt && r.chainKey > chainKey),
            )
            .slice(0, limit),
        ),
      schemaChains: () => Promise.resolve([]),
      unlogged: (keys) => {
        if (keys.length > 0) asked.push(keys.length);
        return Promise.resolve([]);
      },
    },
    { now: () => new Date(NOW) },
  );
  const walk = async (since: string): Promise<readonly Look[]> => {
    const looks: Look[] = [];
    for await (const look of chains.changedSince(since)) looks.push(look);
    return looks;
  };
  return { walk, asked: () => asked.splice(0) };
};

it('a walk that is stopped goes on behind what it passed, and never ahead of what may still be committed', async () => {
  const old = Array.from({ length: 1_000 }, (_, n) => 3_600_000 - n);
  const { walk } = chainsOf([...old, 4_000, 3_000]);
  const looks = await walk(at(7_200_000));
  expect(looks.map(({ since, hasMore }) => [since, hasMore])).toEqual([
    [at(3_600_000 - 399), true],
    [at(3_600_000 - 799), true],
    [WINDOW, false],
  ]);
  const [, second] = looks;
  expect(await walk(second!.since)).toHaveLength(1);
});

it('a look that ends in the window leads the next one no further than its beginning', async () => {
  const { walk } = chainsOf(Array.from({ length: 500 }, () => 4_000));
  const looks = await walk(at(60_000));
  expect(looks.map(({ since }) => since)).toEqual([WINDOW, WINDOW]);
});

it('remembers of logged records those alone at which it will look again', async () => {
  const { walk, asked } = chainsOf([60_000, 50_000, 4_000, 3_000, 500]);
  await walk(at(120_000));
  expect(asked()).toEqual([5]);
  await walk(at(120_000));
  // The two old ones, and the one that may change once more in the same moment.
  expect(asked()).toEqual([3]);
});
