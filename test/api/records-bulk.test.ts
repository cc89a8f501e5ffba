import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { databasePath } from '../support/databases/outbox.ts';
import { ALWAYS_PRESENT, expectProblem, NOBODY } from '../support/stories/problems.ts';
import { entryTypes, GOAL, ok, type Body } from '../support/service/world.ts';

const api = useApi();
const bulk = (body: unknown) => api.world.principal.client.post('/v1/records/bulk', body);
const note = { type: 'note', criteria: { a: 1 } };

describe('a batch', () => {
  it('207: outcomes in the order of the input, one failing item does not fail the batch', async () => {
    const { status, body } = await bulk([
      note,
      { type: 'nope', criteria: {} },
      { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id, autoActivate: true },
      { type: 'job', criteria: {} },
      note,
    ]);
    expect(status).toBe(207);
    expect(body).toMatchObject({ total: 5, succeeded: 3, failed: 2 });
    const rows = body['data'] as Body[];
    expect(rows.map((row) => [row['index'], row['status']])).toEqual([
      [0, 201],
      [1, 422],
      [2, 201],
      [3, 422],
      [4, 201],
    ]);
    expect(rows[0]!['record']).toMatchObject({ status: 'RECORDED' });
    expect(rows[2]!['record']).toMatchObject({
      status: 'ACTIVE',
      nextActions: ['submit-completion', 'cancel'],
    });
    expect(rows[1]!['error']).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      allowedValues: expect.arrayContaining(['note']),
    });
    expect(rows[3]!['error']).toMatchObject({
      status: 422,
      type: '/problems/schema-validation-error',
    });
    for (const row of rows) expect('record' in row).toBe(!('error' in row));
    expect(Object.keys(rows[1]!['error'])).toEqual(expect.arrayContaining([...ALWAYS_PRESENT]));
  });

  it('207 even where every item fails', async () => {
    const { status, body } = await bulk([
      { type: 'nope', criteria: {} },
      { type: 'job', criteria: {} },
    ]);
    expect({ status, succeeded: body['succeeded'], failed: body['failed'] }).toEqual({
      status: 207,
      succeeded: 0,
      failed: 2,
    });
  });

  it('an item of the wrong shape fails alone', async () => {
    const before = Number((await ok(api.world.platform.get('/v1/records?limit=1')))['total']);
    const { status, body } = await bulk([
      { ...note, critera: 1 },
      7,
      null,
      [],
      {},
      { ...note, performerAgentId: 'x' },
      note,
    ]);
    expect(status).toBe(207);
    expect((body['data'] as Body[]).map((row) => row['status'])).toEqual([
      400, 400, 400, 400, 400, 400, 201,
    ]);
    expect(JSON.stringify(body['data'][0].error)).toContain('criteria');
    expect(Number((await ok(api.world.platform.get('/v1/records?limit=1')))['total'])).toBe(
      before + 1,
    );
  });

  it('a party that does not exist fails only its item', async () => {
    const { body } = await bulk([{ type: 'job', criteria: GOAL, performerAgentId: NOBODY }, note]);
    expect((body['data'] as Body[]).map((row) => row['status'])).toEqual([422, 201]);
  });

  it('each record has a chain of its own that is readable at once', async () => {
    const { body } = await bulk(
      Array.from({ length: 100 }, (_, index) => ({ type: 'note', criteria: { index } })),
    );
    expect(body).toMatchObject({ total: 100, succeeded: 100, failed: 0 });
    const rows = body['data'] as Body[];
    expect(new Set(rows.map((row) => row['record'].id)).size).toBe(100);
    expect(rows.map((row) => row['record'].criteria.index)).toEqual(
      rows.map((row) => row['index']),
    );
    expect(await entryTypes(api.world.principal.client, rows[99]!['record'].id)).toEqual([
      'RECORD_RECORDED',
    ]);
  });
});

describe('400', () => {
  it.each<[string, unknown]>([
    ['no items', []],
    ['101 items', Array.from({ length: 101 }, () => note)],
    ['an object instead of a list', { records: [note] }],
    ['one record instead of a list', note],
    ['text', '"x"'],
    ['no body', undefined],
  ])('%s', async (_case, body) => {
    expectProblem(await bulk(body), 400, 'VALIDATION_ERROR');
  });
});

describe('a batch whose process died before it was answered', () => {
  const forgetAnswer = (): void => {
    const database = new DatabaseSync(databasePath(api), { timeout: 5_000 });
    database.prepare(`DELETE FROM idempotency WHERE answer LIKE '{"form"%succeeded%'`).run();
    database.close();
  };
  const keyed = (items: readonly Body[]) =>
    api.world.principal.client.post('/v1/records/bulk', items, { 'idempotency-key': 'died' });

  it('is not taken for another under the same key, and goes on where it is sent again', async () => {
    const first = await ok(keyed([note, note]));
    forgetAnswer();
    const other = { type: 'note', criteria: { b: 2 } };
    for (const items of [[other], [other, other, other]])
      expectProblem(await keyed(items), 422, 'VALIDATION_ERROR', {
        errors: [expect.objectContaining({ keyword: 'idempotency-key' })],
      });
    const again = await ok(keyed([note, note]));
    const ids = ({ data }: Body) => (data as Body[]).map(({ record }) => record.id as string);
    expect(ids(again)).toEqual(ids(first));
  });
});
