import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases/databases.ts';
import { inParallel } from '../../support/databases/stored-chains.ts';
import { Chance } from './walks/chance.ts';
import { faultsOf } from './walks/judge.ts';
import { prelude } from './walks/prelude.ts';
import type { SharedRecord } from './walks/shared-record.ts';
import { openTwoHubs, type TwoHubs } from './walks/two-hubs.ts';
import { walk } from './walks/walk.ts';
import { weatherOf } from './walks/weather.ts';

/** How many walks; the seed makes what is tried, though two hubs and a network keep their own time. */
const WALKS = Number(process.env['NOTARY_FEDERATION_WALKS'] ?? 200);
/** On MySQL: enough to see that what holds on one database holds on the other. */
const WALKS_ON_MYSQL = Number(process.env['NOTARY_FEDERATION_WALKS_MYSQL'] ?? 10);
const SEED = Number(process.env['NOTARY_FEDERATION_SEED'] ?? 1);

describe.each(databases())('random walks of records over two hubs on $name', (kind) => {
  const walks = kind.name === 'mysql' ? WALKS_ON_MYSQL : WALKS;
  let hubs: TwoHubs;
  beforeAll(async () => {
    hubs = await openTwoHubs(kind.name === 'mysql' ? kind : undefined);
  });
  afterAll(() => hubs?.close());

  it(`end in the same state on both sides, and as the model says (seed ${SEED})`, async () => {
    const { pair, wire } = hubs;
    const faults: string[] = [];
    const statuses = new Map<string, number>();
    const hurrying = setInterval(
      () => void hubs.hurry().catch((error: unknown) => faults.push(String(error))),
      300,
    );
    const weather = changing(weatherOf(pair), new Chance(SEED));
    await inParallel(
      20,
      Array.from({ length: walks }, (_, index) => index),
      async (index) => {
        if (faults.length > 0) return;
        const chance = new Chance(SEED + index);
        const record = hubs.record(chance.is(0.5));
        const script: string[] = [];
        try {
          // A short life meets its end midway: expiry against acceptance, against a completion.
          const ttlSeconds = chance.is(0.2) ? 1 + Math.floor(chance.next() * 3) : undefined;
          record.type = chance.is(0.2) ? 'auto-job' : 'job';
          await record.propose(ttlSeconds === undefined ? {} : { ttlSeconds });
          if (ttlSeconds === undefined) script.push(...(await prelude(record, chance)));
          const odd = await walk(record, wire, chance, 8 + Math.floor(chance.next() * 8), script);
          const found = [...odd, ...(await faultsAtRest(record))];
          const status = String((await record.atHome())['status']);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (found.length > 0) throw new Error(found.join('\n=> '));
        } catch (error) {
          faults.push(
            `walk ${index} (home ${record.homeId}, mirror ${record.mirrorId})\n${script.join('\n')}\n=> ${String(error)}\n${await record.told()}`,
          );
        }
      },
    );
    faults.push(...(await weather.ends()));
    clearInterval(hurrying);
    console.log(
      `${walks} walks on ${kind.name}: ${JSON.stringify(Object.fromEntries(statuses))}; messages ${JSON.stringify(wire.counts)}; operators ${JSON.stringify(Object.fromEntries(weather.happened))}`,
    );
    expect(faults.join('\n\n')).toBe('');
    expect(statuses.size).toBeGreaterThan(1);
    // Without losses the walks say nothing.
    const { counts } = wire;
    expect(counts['requests lost'] + counts['answers lost'] + counts.cut).toBeGreaterThan(
      walks / 4,
    );
  }, 3_600_000);
});

/** Time may end a record after its last message was answered: then it moves on, and is looked at when it rests again. */
const faultsAtRest = async (record: SharedRecord): Promise<readonly string[]> => {
  for (;;) {
    const { version } = await record.atHome();
    await record.comesToRest();
    const found = await faultsOf(record);
    if (found.length === 0 || (await record.atHome())['version'] === version) return found;
  }
};

/** One thing after the other happens to the hubs, in an order of chance, as long as the walks last. */
const changing = (
  weather: ReturnType<typeof weatherOf>,
  chance: Chance,
): { readonly happened: ReadonlyMap<string, number>; ends(): Promise<readonly string[]> } => {
  const state = { isOver: false, faults: [] as string[] };
  const happened = new Map<string, number>();
  const all = (async () => {
    while (!state.isOver) {
      await sleep(300 + chance.next() * 700);
      const [name, happens] = chance.of(Object.entries(weather)) as [string, () => Promise<void>];
      if (state.isOver) break;
      happened.set(name, (happened.get(name) ?? 0) + 1);
      await happens().catch((error: unknown) => state.faults.push(`${name}: ${String(error)}`));
    }
  })();
  return {
    happened,
    ends: async () => {
      state.isOver = true;
      await all;
      return state.faults;
    },
  };
};
