import { describe, expect, it } from 'vitest';
import { BINDINGS } from '../../../adapters/rest/bindings.ts';
import type { RestBinding } from '../../../adapters/rest/binding.ts';
import type { CredentialAccess } from '../../../application/call/access.ts';
import { useApi } from '../../support/service/api.ts';
import { disputePath, openDisputed } from '../../support/stories/disputes.ts';
import { partOf } from '../../support/runner/part-of.ts';
import { longestGap, send } from '../../support/service/event-loop-gap.ts';
import { contents, hostileBodies } from '../../support/attackers/hostile-bodies.ts';
import { openDecided, ok, type Client } from '../../support/service/world.ts';

/** The largest and worst body that every operation could be sent: everybody else has their turn all the same. */
const api = useApi();
const MAX_GAP_MS = 50;
const TRIES = 4;
const MOST_BYTES = 1_048_576;
const MOST_PUBLIC_BYTES = 65_536;
const MOST_VALUES = 32_768;
const bodied = BINDINGS.filter(({ body }) => body);

const OPEN_TYPE = {
  type: 'open',
  criteriaSchema: { type: 'object' },
  completionSchema: { type: 'object' },
};
let isRegistered = false;
let types = 0;

/** Bodies that get further than those of the documentation. */
const EXAMPLES: { readonly [operationId: string]: object } = {
  createRecord: { type: 'note', criteria: {} },
  registerSchema: { type: 'hostile', completionSchema: { type: 'object' } },
};

/** Bodies that no schema tells. */
const MORE: { readonly [operationId: string]: () => readonly { name: string; text: string }[] } = {
  createRecordsBulk: () =>
    contents(MOST_BYTES / 100 - 60, MOST_VALUES / 100).map(([name, criteria]) => ({
      name: `100 records with ${name}`,
      text: `[${Array.from({ length: 100 }, () => `{"type":"note","criteria":${criteria}}`).join(',')}]`,
    })),
};

const clientFor = ({ operation, fixed = {}, options: { path } }: RestBinding): Client => {
  const { platform, admin, principal, performer } = api.world;
  const access = operation.access(fixed) as CredentialAccess;
  if (access.roles && !access.roles.includes('admin'))
    return access.roles.includes('platform') ? platform : principal.client;
  if (path.endsWith('/circuit-breaker')) return platform;
  if (/^\/v1\/(admin|agents|schemas|audit|compliance)\b/.test(path)) return admin;
  if (path.endsWith('counter-propose')) return performer.client;
  return principal.client;
};

const NOBODY = '019c1f00-0000-7000-8000-000000000001';
const open = async (extra: object): Promise<string> => {
  const { principal } = api.world;
  const record = await ok(
    principal.client.post('/v1/records', { type: 'open', criteria: {}, ...extra }),
  );
  return String(record['id']);
};

/** A path on which the operation would act. */
const targetOf = async ({ options: { path } }: RestBinding): Promise<string> => {
  const { admin, performer } = api.world;
  if (!isRegistered) {
    await ok(admin.post('/v1/schemas', OPEN_TYPE));
    isRegistered = true;
  }
  const fill = (id: string): string => path.replace('{id}', id);
  if (path.endsWith('/completions')) return fill(await open({ autoActivate: true }));
  if (path.endsWith('/counter-propose'))
    return fill(await open({ performerAgentId: performer.id }));
  if (path === disputePath('{id}')) return fill((await openDecided(api.world, 'accept')).id);
  if (path.endsWith('/dispute/evidence')) return fill((await openDisputed(api.world)).id);
  return path
    .replace('{agentId}', performer.id)
    .replace('{type}', 'open')
    .replace(/\{\w+\}/g, NOBODY);
};

/** As long as a head of a request may be. These come first: what bodies leave behind makes listings long. */
const LONG = 14_000;
const HEADS: readonly (readonly [string, string, { readonly [header: string]: string }])[] = [
  [
    'unknown query parameters',
    Array.from({ length: 2_500 }, (_, at) => `${at}=`)
      .join('&')
      .slice(0, LONG),
    {},
  ],
  ['an unknown query parameter of one long name', 'a'.repeat(LONG), {}],
  ['a query of escapes', `cursor=${'%41'.repeat(LONG / 3)}`, {}],
  ['a long Accept', '', { accept: 'a/b;q=0.1,'.repeat(LONG / 10) }],
  ['a long If-Match', '', { 'if-match': '"1",'.repeat(LONG / 4) }],
  ['a long If-None-Match', '', { 'if-none-match': '"1",'.repeat(LONG / 4) }],
  ['a long Idempotency-Key', '', { 'idempotency-key': 'k'.repeat(LONG) }],
  [
    'a long Signature-Input',
    '',
    { 'signature-input': `s=(${'"a" '.repeat(LONG / 4)})`, signature: 's=:AAAA:' },
  ],
  ['a long subject token', '', { 'x-service-subject-token': 'a.'.repeat(LONG / 2) }],
  ['a long DPoP proof', '', { dpop: 'a.'.repeat(LONG / 2) }],
];

describe('no head of a request holds the thread for 50 ms', () => {
  it.each(HEADS)('%s', async (_what, query, headers) => {
    const held: string[] = [];
    for (const binding of BINDINGS) {
      const { method, path } = binding.options;
      const isPublic = binding.operation.access(binding.fixed ?? {}) === 'public';
      const filled = path.replace('{type}', 'note').replace(/\{\w+\}/g, NOBODY);
      const key = isPublic ? null : clientFor(binding).key;
      // One that is refused, or the credential of the test would rotate itself away.
      const body = binding.body ? new TextEncoder().encode('{"unknown":0}') : undefined;
      let best = Infinity;
      let status = 0;
      for (let tries = 0; tries < TRIES && best > MAX_GAP_MS; tries++)
        best = Math.min(
          best,
          await longestGap(async () => {
            const target = query === '' ? filled : `${filled}?${query}`;
            status = await send(api.world.url, key, target, body, method, headers);
          }),
        );
      if (status >= 500 || best > MAX_GAP_MS)
        held.push(`${method} ${path}: ${status} after ${best.toFixed(0)} ms`);
    }
    expect(held).toEqual([]);
  });
});

it('every operation with a body is here', () => {
  expect(bodied.length).toBeGreaterThan(30);
});

describe.each(
  partOf(bodied).map(
    (binding) => [`${binding.options.method} ${binding.options.path}`, binding] as const,
  ),
)('%s', (_name, binding) => {
  const { operation, fixed = {}, options } = binding;
  const isPublic = operation.access(fixed) === 'public';
  const bodies = [
    ...hostileBodies(
      binding,
      isPublic ? MOST_PUBLIC_BYTES : MOST_BYTES,
      MOST_VALUES,
      EXAMPLES[binding.operationId],
    ),
    ...(MORE[binding.operationId]?.() ?? []),
  ];

  it('no body holds the thread for 50 ms', async () => {
    const held: string[] = [];
    const { url } = api.world;
    for (const { name, text } of bodies) {
      const body = new TextEncoder().encode(text.replace('"hostile"', `"hostile${types++}"`));

      let best = Infinity;
      let status = 0;
      for (let tries = 0; tries < TRIES && best > MAX_GAP_MS; tries++) {
        const path = await targetOf(binding);
        const gap = await longestGap(async () => {
          status = await send(
            url,
            isPublic ? null : clientFor(binding).key,
            path,
            body,
            options.method,
          );
        });
        best = Math.min(best, gap);
      }
      expect([401, 403, 500, 503], name).not.toContain(status);
      if (best > MAX_GAP_MS) held.push(`${name}: ${status} after ${best.toFixed(0)} ms`);
    }
    expect(held).toEqual([]);
  });
});
