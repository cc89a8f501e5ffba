import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LogFields } from '../../application/ports/log.port.ts';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import type { Client } from '../support/service/world.ts';
import { ok } from '../support/service/world.ts';

describe('the log of requests', () => {
  const api = useApi({ TRUSTED_PROXIES: '127.0.0.1' });
  let lines: { readonly level: 'info' | 'debug'; readonly fields: LogFields }[] = [];
  beforeAll(() => {
    const log = api.service.container.get(TOKENS.log);
    for (const level of ['info', 'debug'] as const) {
      const write = log[level].bind(log);
      log[level] = (fields, message) => {
        if (message === 'request') lines.push({ level, fields });
        write(fields, message);
      };
    }
  });
  beforeEach(() => {
    lines = [];
  });

  const keyIdOf = async (client: Client): Promise<string> => {
    const { apiKeyId } = await ok(client.get('/v1/auth/me'));
    lines = [];
    return String(apiKeyId);
  };

  it('has one line a request, with method, route, status, duration, key id and address', async () => {
    const { principal } = api.world;
    const keyId = await keyIdOf(principal.client);
    const { headers } = await principal.client.get('/v1/records?platformRef=secret-ref', {
      'x-forwarded-for': '203.0.113.9',
    });
    expect(lines).toEqual([
      {
        level: 'info',
        fields: {
          requestId: headers.get('x-request-id'),
          method: 'GET',
          route: '/v1/records',
          status: 200,
          durationMs: expect.any(Number) as unknown,
          keyId,
          address: '203.0.113.9',
        },
      },
    ]);
  });

  it('names the record that was made, and the one that a path names', async () => {
    const { principal, anonymous } = api.world;
    const { id } = await ok(
      principal.client.post('/v1/records', { type: 'note', criteria: { a: 1 } }),
    );
    await principal.client.get(`/v1/records/${id}`);
    await principal.client.get(`/v1/records/${id}/audit-export`);
    await anonymous.get(`/v1/records/${id}`);
    await anonymous.get('/v1/records/not-an-id');
    expect(lines.map(({ fields }) => [fields['status'], fields['recordId']])).toEqual([
      [201, id],
      [200, id],
      [200, id],
      [401, id],
      [401, undefined],
    ]);
  });

  it('names the problem of a refusal by its code', async () => {
    const { principal, anonymous } = api.world;
    await anonymous.get('/v1/records');
    await principal.client.post('/v1/records', '{');
    await principal.client.get('/v1/nowhere');
    await principal.client.call('DELETE', '/v1/records');
    await principal.client.get('/v1/records');
    expect(lines.map(({ fields }) => [fields['status'], fields['problem']])).toEqual([
      [401, 'UNAUTHORIZED'],
      [400, 'VALIDATION_ERROR'],
      [404, 'NOT_FOUND'],
      [405, 'METHOD_NOT_ALLOWED'],
      [200, undefined],
    ]);
  });

  it('tells of probes at debug', async () => {
    for (const path of ['/livez', '/readyz', '/health', '/status'])
      await api.world.anonymous.get(path);
    expect(lines.map(({ level, fields }) => [level, fields['route']])).toEqual([
      ['debug', '/livez'],
      ['debug', '/readyz'],
      ['debug', '/health'],
      ['debug', '/status'],
    ]);
  });
});
