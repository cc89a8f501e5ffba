import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../support/hubs/hub-pair.ts';
import type { Answer, Body } from '../../../support/service/world.ts';
import { actsOf, perform } from './acts.ts';
import type { Chance } from './chance.ts';
import type { SharedRecord } from './shared-record.ts';
import { FATES, type Fate, type Wire } from './wire.ts';

/** How long a call is waited for before the walk goes on: a step waits for home, and home may be cut off. */
const PATIENCE_MS = 250;

/**
 * Takes the two sides of a record through random acts, alone and at once, on a network that does what it likes.
 *
 * @param script is told what happens, for whoever reads a fault.
 * @returns answers that no rule of the contract gives.
 */
export const walk = async (
  record: SharedRecord,
  wire: Wire,
  chance: Chance,
  length: number,
  script: string[],
): Promise<readonly string[]> => {
  const odd: string[] = [];
  const calls: Promise<void>[] = [];
  const begin = (side: string, act: string, call: Promise<Answer<Body>>): Promise<unknown> => {
    const done = call.then(
      ({ status, body }) => {
        script.push(
          `  ${side}: ${act} answered ${status}${status < 300 ? '' : ` ${reasonOf(body)}`}`,
        );
        if (![200, 201, 403, 409, 422, 503].includes(status))
          odd.push(`${side}: ${act} answered ${status} ${JSON.stringify(body)}`);
      },
      (error: unknown) => void script.push(`  ${side}: ${act} got no answer: ${String(error)}`),
    );
    calls.push(done);
    return Promise.race([done, sleep(PATIENCE_MS)]);
  };
  // Most walks begin where there are two sides to act.
  if (chance.is(0.85)) await until(async () => (await record.atMirror()) !== null, 180_000);
  for (let step = 0; step < length; step++) {
    if (chance.is(0.4)) {
      const fate = chance.is(0.5) ? 'well' : (chance.of(FATES) as Fate);
      wire.is(record.homeId, fate);
      script.push(`network: ${fate}`);
    }
    const [home, mirror] = await Promise.all([record.atHome(), record.atMirror()]);
    const moves: Promise<unknown>[] = [];
    if (chance.is(mirror ? 0.55 : 0.15)) {
      const act = ofPrincipal(chance, home);
      const client = act === 'uphold' ? record.home.hub.world.platform : record.principal;
      if (act) {
        script.push(`principal: ${act} (${shown(home)})`);
        moves.push(begin('principal', act, perform(client, home, act)));
      }
    }
    if (mirror && chance.is(0.65)) {
      const act =
        disputed(mirror) && chance.is(0.2)
          ? 'dispute-evidence'
          : chance.of(mostlyForward(chance, actsOf('performer', mirror)));
      if (act) {
        script.push(`performer: ${act} (${shown(mirror)})`);
        const score = chance.is(0.5) ? 9 : 1;
        moves.push(begin('performer', act, perform(record.performer, mirror, act, score)));
      }
    }
    await Promise.all(moves);
    await sleep(chance.next() * 150);
  }
  wire.is(record.homeId, 'well');
  script.push('network: well');
  await Promise.all(calls);
  return odd;
};

const disputed = (view: Body): boolean => view['openDisputeId'] !== null;

const ofPrincipal = (chance: Chance, home: Body): ReturnType<typeof actsOf>[number] | undefined => {
  if (disputed(home) && chance.is(0.3)) return 'uphold';
  return chance.of(mostlyForward(chance, actsOf('principal', home)));
};

/** Ending a record at every turn would end most walks at their beginning. */
const mostlyForward = (
  chance: Chance,
  acts: ReturnType<typeof actsOf>,
): ReturnType<typeof actsOf> =>
  acts.filter((act) => (act !== 'cancel' && act !== 'reject') || chance.is(0.12));

const shown = (view: Body): string =>
  [view['status'], view['awaiting'], view['federation'].pendingStep && 'a step waits']
    .filter(Boolean)
    .join(', ');

const reasonOf = (body: Body): string => String(body['reason'] ?? body['code'] ?? '');
