import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINDINGS } from '../../../adapters/rest/bindings.ts';
import { EditedHub, type Row } from '../../support/attackers/edited-hub.ts';
import { quickDatabases, type TestDatabase } from '../../support/databases/databases.ts';
import { reasonsOf } from '../../support/service/health.ts';
import { scanHere } from '../../support/service/scan-here.ts';
import { A2aStories } from '../../support/stories/a2a-stories.ts';
import { GrpcStories } from '../../support/stories/grpc-stories.ts';
import { McpStories } from '../../support/stories/mcp-stories.ts';
import { RestStories } from '../../support/stories/rest-stories.ts';
import type { StoryFrontEnd, Told } from '../../support/stories/story-front-end.ts';

const FRONT_ENDS: { readonly [name: string]: (hub: EditedHub) => StoryFrontEnd } = {
  REST: ({ world }) => new RestStories(world.url, BINDINGS),
  gRPC: ({ service }) => new GrpcStories(String(service.grpc)),
  A2A: ({ world }) => new A2aStories(world.url),
  MCP: ({ world }) => new McpStories(world.url),
};
const TABLE = 'idempotency';
const sqlOf = (value: unknown): string =>
  value instanceof Uint8Array
    ? `X'${Buffer.from(value).toString('hex')}'`
    : typeof value === 'string'
      ? `'${value.replaceAll("'", "''")}'`
      : String(value);

describe.each(quickDatabases())('answers kept for a repetition, on $name,', (kind) => {
  let database: TestDatabase;
  let hub: EditedHub;
  beforeAll(async () => {
    database = await kind.open();
    hub = await EditedHub.start(database, { GRPC_PORT: '0' });
  });
  afterAll(async () => {
    await hub?.stop();
    await database?.drop();
  });

  const create = (frontEnd: StoryFrontEnd, key: string): Promise<Told> =>
    frontEnd.perform({
      credential: String(hub.world.principal.client.key),
      operation: 'createRecord',
      input: { type: 'note', criteria: { a: 1 } },
      key,
    });
  const insert = (row: Row): Promise<unknown> =>
    database.raw(
      `INSERT INTO ${TABLE} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row)
        .map(sqlOf)
        .join(', ')})`,
    );
  /** The row that a call writes. */
  const rowOf = async (call: () => Promise<Told>): Promise<Row> => {
    const scopes = async (): Promise<readonly string[]> =>
      (await database.raw(`SELECT scope FROM ${TABLE}`)).map(({ scope }) => sqlOf(scope));
    const before = new Set(await scopes());
    expect(await call()).toHaveProperty('view');
    const added = (await scopes()).filter((scope) => !before.has(scope));
    expect(added).toHaveLength(1);
    return hub.row(TABLE, `scope = ${added[0]!}`);
  };
  const where = (row: Row): string => hub.is('scope', row['scope']!);

  describe.each(Object.keys(FRONT_ENDS))('by %s', (name) => {
    it('an answer that was inserted before the call is not given, and nothing is carried out', async () => {
      const frontEnd = FRONT_ENDS[name]!(hub);
      const [known, key] = [randomUUID(), randomUUID()];
      const answer = (await rowOf(() => create(frontEnd, known)))['answer']!;
      const row = await rowOf(() => create(frontEnd, key));
      await hub.remove(TABLE, where(row));
      await insert({ ...row, answer });
      const signed = await hub.signed();
      expect(await create(frontEnd, key)).toMatchObject({
        refusal: {
          kind: 'conflict',
          detail: expect.stringContaining('Idempotency-Key'),
        },
      });
      expect(await hub.signed()).toBe(signed);
      await hub.remove(TABLE, where(row));
      await insert(row);
      expect(await create(frontEnd, key)).toMatchObject({ isReplay: true });
    });
  });

  it('a forged answer is reported to the operator, and a scan names its row', async () => {
    const frontEnd = FRONT_ENDS['REST']!(hub);
    const key = randomUUID();
    const row = await rowOf(() => create(frontEnd, key));
    const { broken } = await scanHere(hub.service);
    await hub.set(TABLE, 'answer', '{"form":1,"shown":{"view":{}}}', where(row));
    await create(frontEnd, key);
    expect(await reasonsOf(hub.service)).toContain('row_tampered');
    const found = await scanHere(hub.service);
    expect(found.broken).toBe(broken + 1);
    expect(JSON.stringify(found.brokenRecords)).toContain(TABLE);
    await hub.set(TABLE, 'answer', row['answer']!, where(row));
  });

  it('nobody who reads the database knows under which scope a call will look', async () => {
    const key = randomUUID();
    const { id } = hub.world.principal;
    const guess = createHash('sha256')
      .update(JSON.stringify([id, 'createRecord', undefined, undefined, key]))
      .digest();
    const first = await create(FRONT_ENDS['REST']!(hub), key);
    expect(first).toMatchObject({ isReplay: false });
    expect(await database.raw(`SELECT 1 FROM ${TABLE} WHERE scope = ${sqlOf(guess)}`)).toEqual([]);
  });
});
