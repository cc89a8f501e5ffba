import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIFECYCLE, type Transition } from '../../domain/record/lifecycle.ts';
import { STATUSES } from '../../domain/record/record-status.ts';
import { useApi } from '../support/service/api.ts';
import { atDatabaseTime } from '../support/databases/database-time.ts';
import { inParallel } from '../support/databases/stored-chains.ts';
import { chainOf, ok, openDelivered } from '../support/service/world.ts';
import { curlScript } from './walks/curl-script.ts';
import { predict } from './walks/model.ts';
import { plan } from './walks/planner.ts';
import { stepOf } from './walks/record-faults.ts';
import { runWalk } from './walks/run-walk.ts';
import { setStage } from './walks/stage.ts';
import { shrink } from './walks/shrink.ts';
import { SURE_WALKS } from './walks/sure-walks.ts';

const api = useApi();

/** How many walks; the seed makes them, so that the same ones can be taken again. */
const WALKS = Number(process.env['NOTARY_WALKS'] ?? 200);
const SEED = Number(process.env['NOTARY_WALKS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const reached = new Map<string, number>();
const witness = (step: string): void => void reached.set(step, (reached.get(step) ?? 0) + 1);

describe('random walks over the whole lifecycle', () => {
  it(`go as the contract says, refuse only with the catalogue and leave chains that verify (seed ${SEED})`, async () => {
    const stage = await setStage(api.world.url, String(api.world.platform.key), api.fingerprint);
    const walks = fc.sample(fc.array(fc.nat(2 ** 31 - 1), { minLength: 10, maxLength: 25 }), {
      numRuns: WALKS,
      seed: SEED,
    });
    const scripts: string[] = [];
    let taken = 0;
    await inParallel(6, [...SURE_WALKS, ...walks.map(plan)], async (walk) => {
      // One script says enough; the others would be of the same fault more often than not.
      if (scripts.length > 0) return;
      const { mismatch } = await runWalk(stage, walk, predict, witness);
      taken += walk.length;
      if (mismatch)
        scripts.push(
          curlScript(
            await shrink(walk, mismatch, async (part) => (await runWalk(stage, part)).mismatch),
          ),
        );
    });
    if (scripts[0])
      throw new Error(
        `NOTARY_WALKS=${WALKS} NOTARY_WALKS_SEED=${SEED} takes these walks again. This script shows what parts from the contract:\n\n${scripts[0]}`,
      );
    expect(taken).toBeGreaterThan(walks.length * 10);
  }, 7_200_000);

  it('end a record that waits for a revision when its time is out, which no walk can wait for', async () => {
    const { principal } = api.world;
    const { id } = await openDelivered(api.world);
    await ok(principal.client.post(`/v1/records/${id}/revision`));
    // A submission moves the deadline by a week, and a revision by a day.
    const fortnight = 14 * 24 * 3600;
    expect(
      await atDatabaseTime(fortnight, () => principal.client.post(`/v1/records/${id}/cancel`, {})),
    ).toMatchObject({ status: 422, body: { currentState: 'EXPIRED' } });
    for (const { statement } of await chainOf(principal.client, id))
      if (statement.predicate.transition)
        witness(
          stepOf(
            statement.predicate.transition.action,
            statement.predicate.transition.from,
            statement.predicate.transition.to,
          ),
        );
  });

  it('reach every state and every transition', () => {
    const expected = (LIFECYCLE as readonly Transition[]).flatMap(({ action, from, to }) =>
      (from.length === 0 ? [null] : from).flatMap((start) =>
        to.map((target) => stepOf(action, start, target === 'unchanged' ? String(start) : target)),
      ),
    );
    expect(expected.filter((step) => !reached.has(step))).toEqual([]);
    const states = new Set([...reached.keys()].map((step) => step.split(' to ')[1]));
    expect(STATUSES.filter((status) => !states.has(status))).toEqual([]);
  });
});
