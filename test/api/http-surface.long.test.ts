import { MakeExports } from '../../application/compliance/make-exports.ts';
import { describe, expect, it } from 'vitest';
import { IntegrateEntries } from '../../application/transparency/integrate-entries.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import { useApi } from '../support/service/api.ts';
import { readAndCovered } from '../support/stories/reads-checkpoint.ts';
import { Stranger } from '../support/hubs/stranger.ts';
import { scanned } from '../support/service/scans.ts';
import { JOB_TYPE, ok, openDecided, type Body } from '../support/service/world.ts';

const api = useApi();
/** As the admin of the org, or the platform where an admin may not go. */
const PLATFORM_PATH =
  /^\/(?:federation\/v1|v1)\/admin\/(trusted-issuers|federation|dlq|vault|webhook|witnesses|rate-limit-exemptions|system-health|ops-summary|support-bundle|provisioning)/;
const keyFor = (path: string): string =>
  String((PLATFORM_PATH.test(path) ? api.world.platform : api.world.admin).key);
const raw = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${api.world.url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${keyFor(path)}`,
      ...(init.headers as Record<string, string>),
    },
  });

/** Every GET of the API document, with ids that exist. */
const getPaths = async (): Promise<string[]> => {
  const { id, completionId } = await openDecided(api.world, 'accept');
  const dispute = await ok(api.world.principal.client.post(`/v1/records/${id}/dispute`));
  const issuer = await ok(
    api.world.platform.post('/v1/admin/trusted-issuers', {
      orgId: api.world.orgId,
      issuerUrl: 'https://idp.example',
      expectedAudience: crypto.randomUUID(),
    }),
  );
  const { publisher, version } = await ok(
    api.world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'open-job', public: true }),
  );
  const webhook = await ok(
    api.world.admin.post('/v1/webhooks', {
      url: 'https://receiver.example/hook',
      eventTypes: ['record.failed'],
    }),
  );
  const peer = new Stranger();
  await ok(api.world.platform.post('/v1/admin/federation/peers', peer.registration));
  await ok(
    api.world.platform.call('PUT', `/v1/admin/rate-limit-exemptions/${api.world.performer.id}`),
  );
  const checkpoint = await readAndCovered(api);
  const values: Record<string, string> = {
    id,
    recordId: id,
    disputeId: String(dispute['id']),
    completionId,
    agentId: api.world.principal.id,
    type: 'open-job',
    publisher: String(publisher),
    version: String(version),
    kind: 'record-state',
    jobId: String((await scanned(api.world.platform))['jobId']),
    slug: 'not-found',
    hubId: peer.hubId,
    ownerId: api.world.performer.id,
    guide: 'verify-offline',
  };
  const note = await ok(
    api.world.principal.client.post('/v1/records', { type: 'note', criteria: { text: 'n' } }),
  );
  const exported = await ok(
    api.world.admin.post('/v1/compliance/exports', {
      from: '2020-01-01T00:00:00.000Z',
      to: '2100-01-01T00:00:00.000Z',
    }),
  );
  await api.service.container.get(MakeExports).run(new AbortController().signal);
  const { coseSign1 } = note['signedStatement'] as { readonly coseSign1: string };
  values['entryId'] = toHex(leafHash(Buffer.from(coseSign1, 'base64')));
  values['section'] = 'records';
  values['document'] = 'orgs.json';
  values['kid'] = api.service.vault.keyId;
  await api.service.container.get(IntegrateEntries).run();
  const { paths } = await ok(api.world.anonymous.get('/docs/openapi.json'));
  return Object.entries(paths as Body)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) =>
      (path.endsWith('/anchors') ? `${path}?recordId=${id}` : path)
        .replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
          path.includes('trusted-issuers')
            ? String(issuer['id'])
            : path.startsWith('/v1/webhooks/')
              ? String(webhook['id'])
              : path.includes('/checkpoints/')
                ? String(checkpoint['id'])
                : path.includes('/checkpoints/')
                  ? String(checkpoint['id'])
                  : path.includes('/compliance/')
                    ? String(exported['id'])
                    : values[name]!,
        )
        .replace(/\/proof$/, '/proof?leaf=0'),
    )
    .map((path) => (path === '/v1/scitt/consistency' ? `${path}?from=1` : path));
};

describe('every path', () => {
  it('answers HEAD as GET, without a body', async () => {
    for (const path of await getPaths()) {
      const get = await raw(path);
      const head = await raw(path, { method: 'HEAD' });
      expect({
        path,
        status: head.status,
        type: head.headers.get('content-type'),
        body: await head.text(),
      }).toEqual({ path, status: get.status, type: get.headers.get('content-type'), body: '' });
      expect([path, get.status]).toEqual([path, 200]);
      await get.text();
    }
  });

  it('answers OPTIONS with Allow, and other methods with 405 and the same Allow', async () => {
    for (const path of await getPaths()) {
      const options = await raw(path, { method: 'OPTIONS' });
      expect({
        path,
        status: options.status < 300,
        allow: options.headers.get('allow')?.includes('GET'),
      }).toEqual({ path, status: true, allow: true });
      const method = ['DELETE', 'PUT', 'PATCH'].find(
        (candidate) => !options.headers.get('allow')?.includes(candidate),
      )!;
      const other = await raw(path, { method });
      expect({ path, status: other.status, allow: other.headers.get('allow') }).toEqual({
        path,
        status: 405,
        allow: options.headers.get('allow'),
      });
    }
  });

  it('sends nosniff, and what belongs to a caller is not kept by caches', async () => {
    for (const path of await getPaths()) {
      const { headers } = await raw(path);
      expect({ path, sniff: headers.get('x-content-type-options') }).toEqual({
        path,
        sniff: 'nosniff',
      });
      if (/^\/v1\/(?:records|agents|admin|auth|schemas)/.test(path))
        expect({ path, cache: headers.get('cache-control') }).toEqual({
          path,
          cache: expect.stringMatching(/no-store|private/),
        });
    }
  });

  it('does not say what it is made of', async () => {
    for (const path of ['/livez', '/nowhere', '/v1/records']) {
      const { headers } = await raw(path);
      expect({ server: headers.get('server'), powered: headers.get('x-powered-by') }).toEqual({
        server: null,
        powered: null,
      });
    }
  });

  it('is one path: no doubled slash, no capitals, no parameters', async () => {
    for (const path of [
      '/v1/records//',
      '//v1/records',
      '/v1//records',
      '/V1/records',
      '/v1/Records',
      '/v1/records;x=1',
      '/v1/./records%2f',
    ])
      expect({ path, status: (await raw(path)).status }).toEqual({ path, status: 404 });
  });
});

describe('CORS', () => {
  it('is off by default', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await raw('/v1/verification-keys', {
        method,
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('CORS with an origin allowed', () => {
  const open = useApi({ CORS_ORIGINS: 'https://app.example' });
  const ask = (origin: string, method: string): Promise<Response> =>
    fetch(`${open.world.url}/v1/records`, {
      method,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    });

  it('answers that origin, and no other', async () => {
    const mine = await ask('https://app.example', 'OPTIONS');
    expect({
      status: mine.status < 300,
      origin: mine.headers.get('access-control-allow-origin'),
    }).toEqual({ status: true, origin: 'https://app.example' });
    expect(mine.headers.get('access-control-allow-methods')).toContain('POST');
    expect(mine.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'authorization',
    );
    for (const origin of [
      'https://evil.example',
      'https://app.example.evil.example',
      'http://app.example',
      'null',
    ])
      expect((await ask(origin, 'OPTIONS')).headers.get('access-control-allow-origin')).not.toBe(
        origin,
      );
  });

  it('a refusal is readable there too', async () => {
    const refused = await ask('https://app.example', 'POST');
    expect({
      status: refused.status,
      origin: refused.headers.get('access-control-allow-origin'),
    }).toEqual({ status: 401, origin: 'https://app.example' });
  });

  it('a preflight allows every header by which a call is made, proven or repeated', async () => {
    const { headers } = await ask('https://app.example', 'OPTIONS');
    expect(headers.get('access-control-allow-headers')?.split(', ')).toEqual([
      'Authorization',
      'Content-Digest',
      'Content-Type',
      'DPoP',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Signature',
      'Signature-Input',
      'X-Agent-Signature',
      'X-Agent-Signature-Content-Hash',
      'X-Request-ID',
      'X-Service-Subject-Token',
    ]);
    expect(headers.get('access-control-allow-methods')).toBe('POST, GET, HEAD, OPTIONS');
  });

  it('a page can read every header that answers carry', async () => {
    const { url, principal } = open.world;
    const send = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${url}${path}`, {
        ...init,
        headers: {
          origin: 'https://app.example',
          authorization: `Bearer ${principal.client.key}`,
          'content-type': 'application/json',
          ...(init.headers as Record<string, string>),
        },
      });
    const create = (key: string): Promise<Response> =>
      send('/v1/records', {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: JSON.stringify({ type: 'note', criteria: {} }),
      });
    const answers = [
      await create('cors'),
      await create('cors'),
      await send('/v1/records', { method: 'DELETE' }),
      await send('/v1/records', { headers: { authorization: 'Bearer none' } }),
      await send('/livez'),
    ];
    const exposed = new Set(
      answers[0]!.headers.get('access-control-expose-headers')?.toLowerCase().split(', '),
    );
    // Those that the browser keeps for itself, or shows to everybody (Fetch standard).
    const other =
      /^(?:cache-control|content-(?:length|type)|access-control-.*|connection|keep-alive|vary|x-content-type-options|transfer-encoding)$/;
    const hidden = answers.flatMap(({ headers }) =>
      [...headers.keys()].filter((name) => !exposed.has(name) && !other.test(name)),
    );
    expect(hidden).toEqual([]);
    const seen = new Set(answers.flatMap(({ headers }) => [...headers.keys()]));
    for (const name of ['etag', 'location', 'idempotency-replayed', 'allow', 'www-authenticate'])
      expect(seen).toContain(name);
    expect(exposed).toContain('retry-after');
  });
});
