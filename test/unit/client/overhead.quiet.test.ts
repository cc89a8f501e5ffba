import { expect, it } from 'vitest';
import { NotaryClient } from '../../../adapters/client/client.ts';

const RECORD = JSON.stringify({ id: 'r', status: 'RECORDED', criteria: { text: 'x'.repeat(500) } });
const NOTE = { type: 'note', criteria: { text: 'x' } };
const CALLS = 2_000;

/** An answer at once, by the runtime's own classes: what is left is the work of the caller. */
const answers = (() =>
  Promise.resolve(
    new Response(RECORD, { status: 201, headers: { 'content-type': 'application/json' } }),
  )) as typeof fetch;

const plain = async (): Promise<unknown> =>
  (
    await answers('https://notary.example/v1/records', {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: JSON.stringify(NOTE),
    })
  ).json();

const msOf = async (call: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  for (let n = 0; n < CALLS; n++) await call();
  return (performance.now() - started) / CALLS;
};

it('the client adds under 0.2 ms to a call', async () => {
  const client = new NotaryClient({
    url: 'https://notary.example',
    credential: 'k',
    fetch: answers,
  });
  const call = (): Promise<unknown> => client.notarize(NOTE);
  await msOf(call);
  const added: number[] = [];
  // The best of some rounds: a machine that does other things as well only adds.
  for (let round = 0; round < 5; round++) added.push((await msOf(call)) - (await msOf(plain)));
  expect(Math.min(...added)).toBeLessThan(0.2);
});
