import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SqliteConnection } from '../../adapters/sql/sqlite/sqlite-connection.ts';
import { useApi } from '../support/service/api.ts';
import { GOAL, ok } from '../support/service/world.ts';

describe('the statements of an action on SQLite', () => {
  const api = useApi();
  const statements: string[] = [];
  beforeEach(() => {
    statements.length = 0;
    const own = SqliteConnection.prototype.run;
    vi.spyOn(SqliteConnection.prototype, 'run').mockImplementation(function (
      this: SqliteConnection,
      sql,
      values,
    ) {
      statements.push(sql);
      return own.call(this, sql, values);
    });
  });
  afterEach(() => void vi.restoreAllMocks());

  it('set the columns of the record that it changes, so the indexes of the others are not written', async () => {
    const { principal, performer } = api.world;
    const asked = { type: 'job', criteria: GOAL, performerAgentId: performer.id };
    const { id } = await ok(principal.client.post('/v1/records', asked));
    await ok(performer.client.post(`/v1/records/${id}/accept`, {}));
    const [update, ...others] = statements.filter((sql) => sql.startsWith('UPDATE records SET'));
    expect(others).toEqual([]);
    const set = update?.split(' WHERE ')[0]?.match(/\w+(?= = \?)/g);
    expect(set?.sort()).toEqual(['activated_at', 'status', 'updated_at', 'version']);
  });
});
