import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { longestGap, send } from '../../support/service/event-loop-gap.ts';
import { contents } from '../../support/attackers/hostile-bodies.ts';
import { mcpHeaders, mcpRequest } from '../../support/clients/mcp.ts';

/** The largest and worst calls of tools: everybody else has their turn all the same. */
const api = useApi();
const MAX_GAP_MS = 50;
const TRIES = 4;
const MOST_BYTES = 1_048_576;
const MOST_VALUES = 32_768;

/** A place for hostile content in a request of each kind. */
const PLACES: readonly (readonly [string, string, (content: string) => string])[] = [
  ['criteria', 'notarize', (content) => `"arguments":{"type":"note","criteria":${content}}`],
  ['unknown arguments', 'notarize', (content) => `"arguments":{"unknown":${content}}`],
  ['arguments of a read', 'get_record', (content) => `"arguments":{"recordId":${content}}`],
  [
    'items',
    'notarize_many',
    (content) => `"arguments":{"items":[{"type":"note","criteria":${content}}]}`,
  ],
  ['an unknown tool', 'x', (content) => `"arguments":${content}`],
  ['answers of a person', 'notarize', (content) => `"inputResponses":{"missing":${content}}`],
  ['unknown params', 'notarize', (content) => `"unknown":${content}`],
];
const META = JSON.stringify(mcpRequest('tools/call', {})['params']).slice(1, -1);

const requestOf = (name: string, part: string): Uint8Array =>
  new TextEncoder().encode(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}",${part},${META}}}`,
  );

describe('no call of a tool holds the thread for 50 ms', () => {
  it.each(PLACES)('%s', { timeout: 300_000 }, async (_place, name, part) => {
    const held: string[] = [];
    const headers = mcpHeaders({ method: 'tools/call', params: { name } });
    const { key } = api.world.principal.client;
    for (const [what, content] of contents(MOST_BYTES - 2_000, MOST_VALUES - 100)) {
      const body = requestOf(name, part(content));
      let best = Infinity;
      let status = 0;
      for (let tries = 0; tries < TRIES && best > MAX_GAP_MS; tries++)
        best = Math.min(
          best,
          await longestGap(async () => {
            status = await send(api.world.url, key, '/mcp', body, 'POST', headers);
          }),
        );
      if (status >= 500 || best > MAX_GAP_MS)
        held.push(`${what}: ${status} after ${best.toFixed(0)} ms`);
    }
    expect(held).toEqual([]);
  });
});
