import { ok, type Client } from '../support/service/world.ts';
import { CONNECTIONS, load, type Load } from './load.ts';

const AT_ONCE = 100;

/** Chains of one entry each. */
export const growChains = async (principal: Client, count: number): Promise<void> => {
  const notes = Array.from({ length: AT_ONCE }, (_, n) => ({ type: 'note', criteria: { n } }));
  for (let made = 0; made < count; made += AT_ONCE)
    await ok(principal.post('/v1/records/bulk', notes));
};

/** Records of 1 KB for so many seconds. */
export const notarize = (
  { url, key }: Client,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Load> =>
  load({
    connections,
    url: `${url}/v1/records`,
    duration: seconds,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'note', criteria: { text: 'x'.repeat(960) } }),
  });
