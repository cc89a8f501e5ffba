import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { expectProblem, NOBODY } from '../support/stories/problems.ts';
import {
  deliver,
  draftJob,
  JOB_TYPE,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
  sleep,
} from '../support/service/world.ts';

const api = useApi();
const me = () => api.world.principal.client;
const open = async (): Promise<string> => `/v1/records/${String((await openJob(api.world))['id'])}`;

describe('a record', () => {
  it('200: as the creation answered it, with its newest signed statement', async () => {
    const created = await openJob(api.world);
    const read = await ok(me().get(`/v1/records/${created['id']}`));
    const { nextSteps: _steps, ...same } = created;
    expect(read).toMatchObject(same);
    const completion = await deliver(api.world, created['id']);
    const later = await ok(me().get(`/v1/records/${created['id']}`));
    expect(later).toMatchObject({
      latestCompletionId: completion['id'],
      awaiting: 'principal',
      signedStatement: {
        position: 2,
        entryType: 'COMPLETION_SUBMITTED',
        previousHash: read['signedStatement'].hash,
      },
    });
    expect(later['version']).toBeGreaterThan(read['version']);
  });

  it('shows the steps that the reading side can take', async () => {
    const { id } = await openDelivered(api.world);
    const mine = await ok(me().get(`/v1/records/${id}`));
    expect(mine['nextActions'][0]).toBe('render-verdict');
    expect(mine['nextActions'].at(-1)).toBe('cancel');
    expect(mine['nextSteps'][0]).toMatchObject({
      action: 'render-verdict',
      method: 'POST',
      href: `/v1/records/${id}/verdict`,
      description: expect.any(String),
    });
    expect(new Set(mine['validTransitions'])).toEqual(
      new Set(['FULFILLED', 'FAILED', 'CANCELLED', 'REVISION_REQUESTED']),
    );
    const theirs = await ok(api.world.performer.client.get(`/v1/records/${id}`));
    expect(theirs['nextSteps'][0]).toMatchObject({ action: 'view' });
    expect(theirs['nextSteps'].map((step: { action: string }) => step.action)).not.toContain(
      'cancel',
    );
  });

  it.each([
    ['draft', () => draftJob(api.world)],
    ['proposal', () => proposeJob(api.world)],
    ['running record', () => openJob(api.world)],
  ])('every step of a %s names a route of the API document', async (_name, make) => {
    const { id } = await make();
    const { paths } = await ok(api.world.anonymous.get('/docs/openapi.json'));
    for (const client of [me(), api.world.performer.client, api.world.admin, api.world.platform]) {
      const answer = await client.get(`/v1/records/${id}`);
      for (const step of answer.status === 200 ? answer.body['nextSteps'] : []) {
        const template = Object.keys(paths).find((path) =>
          new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(step.href.split('?')[0]),
        );
        expect({ step, route: template && step.method.toLowerCase() in paths[template] }).toEqual({
          step,
          route: true,
        });
      }
    }
  });

  it('HEAD answers as GET without a body', async () => {
    const path = await open();
    const { status, headers } = await me().call('HEAD', path);
    expect({ status, etag: headers.get('etag') }).toEqual({
      status: 200,
      etag: (await me().get(path)).headers.get('etag'),
    });
  });

  it('405 with Allow: a method that the path does not have; 404: a path that does not exist', async () => {
    const answer = await me().call('DELETE', await open());
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED', { type: '/problems/method-not-allowed' });
    expect(answer.headers.get('allow')).toMatch(/\bGET\b/);
    expectProblem(await me().get(`/v1/recrods`), 404, 'NOT_FOUND', { type: '/problems/not-found' });
    expectProblem(await me().get(`${await open()}/nothing`), 404, 'NOT_FOUND');
  });

  it('OPTIONS answers with Allow', async () => {
    const { status, headers } = await me().call('OPTIONS', await open());
    expect(status).toBeLessThan(300);
    expect(headers.get('allow')).toMatch(/\bGET\b/);
  });

  it('404 for an unknown id, 400 for one that is no UUID', async () => {
    expectProblem(await me().get(`/v1/records/${NOBODY}`), 404, 'NOT_FOUND', {
      type: '/problems/not-found',
    });
    for (const bad of ['1', `${NOBODY}0`, NOBODY.replaceAll('-', ''), 'x%00y', `%7B${NOBODY}%7D`])
      expectProblem(await me().get(`/v1/records/${bad}`), 400, 'VALIDATION_ERROR');
  });

  it('406: a representation that it does not have', async () => {
    expectProblem(await me().get(await open(), { accept: 'image/png' }), 406, 'NOT_ACCEPTABLE', {
      type: '/problems/not-acceptable',
    });
    for (const accept of [
      '*/*',
      'application/*',
      'application/json',
      'text/html, application/json;q=0.5',
    ])
      expect((await me().get(await open(), { accept })).status).toBe(200);
  });
});

describe('ETag', () => {
  it('304 without a body where If-None-Match names the version, weak, in a list or as *', async () => {
    const path = await open();
    const etag = String((await me().get(path)).headers.get('etag'));
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await me().get(path, { 'if-none-match': value });
      expect({
        value,
        status: answer.status,
        body: answer.body,
        etag: answer.headers.get('etag'),
      }).toEqual({ value, status: 304, body: {}, etag });
    }
  });

  it('200 where the record has changed since', async () => {
    const path = await open();
    const etag = String((await me().get(path)).headers.get('etag'));
    await ok(api.world.performer.client.post(`${path}/completions`, { evidence: { score: 9 } }));
    const answer = await me().get(path, { 'if-none-match': etag });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).not.toBe(etag);
  });

  it('304 tells nothing to who may not read the record', async () => {
    const path = await open();
    const etag = String((await me().get(path)).headers.get('etag'));
    expect((await api.world.anonymous.get(path, { 'if-none-match': etag })).status).toBe(401);
  });

  it('412 where If-Match names another version, on every transition, and nothing happens', async () => {
    const { id, completionId } = await openDelivered(api.world);
    const path = `/v1/records/${id}`;
    const stale = { 'if-match': '"0"' };
    expectProblem(
      await me().post(`${path}/verdict`, { verdict: 'accept', completionId }, stale),
      412,
      'PRECONDITION_FAILED',
      { type: '/problems/precondition-failed' },
    );
    expectProblem(
      await me().post(`${path}/revision`, undefined, stale),
      412,
      'PRECONDITION_FAILED',
    );
    expectProblem(await me().post(`${path}/cancel`, undefined, stale), 412, 'PRECONDITION_FAILED');
    expectProblem(
      await me().post(`${path}/transition`, { action: 'cancel' }, stale),
      412,
      'PRECONDITION_FAILED',
    );
    const read = await me().get(path);
    expect(read.body['status']).toBe('ACTIVE');
    expect(
      (
        await me().post(
          `${path}/verdict`,
          { verdict: 'accept', completionId },
          { 'if-match': String(read.headers.get('etag')) },
        )
      ).status,
    ).toBe(200);
  });

  it('412 where If-Match names another version, on a completion and every step of a dispute', async () => {
    const { id } = await openJob(api.world);
    const stale = { 'if-match': '"9"' };
    const at = (path: string): string => `/v1/records/${String(id)}${path}`;
    const refused = async (path: string, body: object): Promise<void> => {
      for (const client of [me(), api.world.performer.client])
        expectProblem(await client.post(at(path), body, stale), 412, 'PRECONDITION_FAILED');
    };
    const current = async () => ({
      'if-match': String((await me().get(at(''))).headers.get('etag')),
    });
    const evidence = { evidence: { score: 9 } };
    await refused('/completions', evidence);
    const { id: completionId } = await ok(
      api.world.performer.client.post(at('/completions'), evidence, await current()),
    );
    await ok(me().post(at('/verdict'), { verdict: 'accept', completionId }));
    await refused('/dispute', {});
    await ok(me().post(at('/dispute'), {}, await current()));
    const resolution = { outcome: 'OVERTURNED', resolution: 'Conceded.' };
    await refused('/dispute/evidence', { evidence: { page: 1 } });
    await refused('/dispute/escalate', {});
    await refused('/dispute/resolve', resolution);
    await refused('/dispute/withdraw', {});
    const performer = api.world.performer.client;
    await ok(performer.post(at('/dispute/evidence'), { evidence: { page: 1 } }, await current()));
    await ok(me().post(at('/dispute/escalate'), {}, await current()));
    await ok(performer.post(at('/dispute/resolve'), resolution, await current()));
    expect((await ok(me().get(at(''))))['status']).toBe('FAILED');
  });

  it('the ETag changes where the window to dispute ends, and the version is still good for If-Match', async () => {
    await ok(
      api.world.admin.post('/v1/schemas', {
        ...JOB_TYPE,
        type: 'soon-final',
        disputeWindowSeconds: 1,
      }),
    );
    const { id } = await openDecided(api.world, 'accept', { type: 'soon-final' });
    const path = `/v1/records/${id}`;
    const before = await me().get(path);
    const etag = String(before.headers.get('etag'));
    expect(before.body['nextActions']).toEqual(['open-dispute']);
    await sleep(1100);
    const after = await me().get(path, { 'if-none-match': etag });
    expect([after.status, after.body['nextActions']]).toEqual([200, []]);
    const final = String(after.headers.get('etag'));
    expect(final).not.toBe(etag);
    expect((await me().get(path, { 'if-none-match': final })).status).toBe(304);
    expectProblem(
      await me().post(`${path}/dispute`, {}, { 'if-match': final }),
      422,
      'UNPROCESSABLE_STATE',
    );
  });

  it.each<[string, (etag: string) => string, number]>([
    ['412: a weak tag (RFC 9110 section 13.1.1)', (etag) => `W/${etag}`, 412],
    ['200: *', () => '*', 200],
    ['200: a list that holds the version', (etag) => `"0", ${etag}`, 200],
  ])('If-Match, %s', async (_case, value, status) => {
    const path = await open();
    const etag = String((await me().get(path)).headers.get('etag'));
    expect((await me().post(`${path}/cancel`, undefined, { 'if-match': value(etag) })).status).toBe(
      status,
    );
  });
});
