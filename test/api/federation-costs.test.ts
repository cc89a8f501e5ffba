import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SqliteConnection } from '../../adapters/sql/sqlite/sqlite-connection.ts';
import { PEER_PATHS } from '../../domain/federation/request-signature.ts';
import { FederatedStory } from '../support/hubs/federated-story.ts';
import { HubPair, until } from '../support/hubs/hub-pair.ts';
import { ok } from '../support/service/world.ts';

const STORIES = 12;
describe('what a message between two hubs asks of their databases, both together', () => {
  const statements: string[] = [];
  let pair: HubPair;
  beforeAll(async () => {
    for (const method of ['all', 'run'] as const) {
      const own = SqliteConnection.prototype[method] as (...given: unknown[]) => never;
      vi.spyOn(SqliteConnection.prototype, method).mockImplementation(function (
        this: SqliteConnection,
        sql,
        values,
      ) {
        statements.push(sql);
        return own.call(this, sql, values);
      });
    }
    pair = await HubPair.open();
    await pair.peer();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await pair?.close();
  });

  it(
    'is bounded: the peer is read five times, and nothing is done again because a neighbour failed',
    { timeout: 120_000 },
    async () => {
      const stories = Array.from({ length: STORIES }, () => new FederatedStory(pair));
      for (const story of stories) await story.propose();
      const hasCome = async (story: FederatedStory): Promise<boolean> =>
        (await story.home())['federation'].recordId !== null;
      for (const story of stories) await until(() => hasCome(story));
      const { platform } = pair.home.world;
      const peer = `/v1/admin/federation/peers/${pair.far.hubId}`;
      await ok(platform.post(`${peer}/suspend`, { reason: 'for a moment' }));
      for (const story of stories) await ok(story.atHome('cancel', { reason: 'Not needed.' }));
      let taken = 0;
      pair.far.door.onAnswer = ({ path }, { status }) => {
        if (path !== PEER_PATHS.handshake && status === 200) taken++;
      };
      statements.length = 0;
      await ok(platform.post(`${peer}/resume`, {}));
      await until(() => taken >= STORIES);
      const count = (part: RegExp): number => statements.filter((sql) => part.test(sql)).length;
      // Twice before a message is believed, once where it is taken, once to send it, once where its answer is taken; and
      // where lanes are given out.
      expect(count(/FROM federation_peers WHERE hub_id/)).toBeLessThan(6.5 * STORIES);
      expect(count(/^INSERT INTO federation_incoming/)).toBe(STORIES);
      // The end on the mirror, and its attestation.
      expect(count(/^INSERT INTO chain_entries/)).toBeLessThan(2.5 * STORIES);
    },
  );
});
