import { until } from '../../../support/hubs/hub-pair.ts';
import { ok, type Body } from '../../../support/service/world.ts';
import type { Action } from '../life.ts';
import { perform } from './acts.ts';
import type { Chance } from './chance.ts';
import type { SharedRecord } from './shared-record.ts';

type Act = readonly [side: 'principal' | 'performer', act: Action];

const PRELUDES: readonly (readonly Act[])[] = [
  [],
  [['performer', 'counter-propose']],
  [['performer', 'accept']],
  [
    ['performer', 'accept'],
    ['performer', 'submit-completion'],
  ],
  [
    ['performer', 'accept'],
    ['performer', 'submit-completion'],
    ['principal', 'revision'],
  ],
  [
    ['performer', 'accept'],
    ['performer', 'submit-completion'],
    ['principal', 'accept-verdict'],
    ['principal', 'open-dispute'],
  ],
  [
    ['performer', 'accept'],
    ['performer', 'submit-completion'],
    ['principal', 'reject-verdict'],
    ['performer', 'open-dispute'],
  ],
];

/** Brings a record to a state of chance, each act in its turn, so that walks reach the end of a life too. */
export const prelude = async (record: SharedRecord, chance: Chance): Promise<readonly string[]> => {
  const acts = chance.of(PRELUDES) ?? [];
  for (const [side, act] of acts) {
    await until(async () => (await record.atMirror()) !== null, 180_000);
    await record.comesToRest();
    const view = side === 'principal' ? await record.atHome() : await record.atMirror();
    const client = side === 'principal' ? record.principal : record.performer;
    // An operator may stop a hub in the middle of it: the walk begins where it got to.
    try {
      await ok(perform(client, view as Body, act));
    } catch (error) {
      return [`prelude: ${side} ${act}: ${String(error)}`];
    }
  }
  if (acts.length > 0) await record.comesToRest();
  return acts.map(([side, act]) => `prelude: ${side} ${act}`);
};
