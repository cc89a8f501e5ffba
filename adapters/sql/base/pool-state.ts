import type { Knex } from 'knex';
import type { PoolState } from './database.ts';

/** What the pool of Knex says of itself; its types do not know it. */
interface Tarn {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Of all these pools together. */
export const poolState = (...pools: readonly Knex[]): PoolState => {
  // A pool that was closed is none.
  const tarns = pools.flatMap((pool) => (pool.client as { readonly pool?: Tarn }).pool ?? []);
  const sum = (count: (tarn: Tarn) => number): number =>
    tarns.reduce((so, tarn) => so + count(tarn), 0);
  return {
    used: sum((tarn) => tarn.numUsed()),
    free: sum((tarn) => tarn.numFree()),
    waiting: sum((tarn) => tarn.numPendingAcquires()),
  };
};
