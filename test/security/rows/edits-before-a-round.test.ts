import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { IntegrateEntries } from '../../../application/transparency/integrate-entries.ts';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { RunningService } from '../../../config/service.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { statementLog } from '../../../domain/transparency/statement-log.port.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok } from '../../support/service/world.ts';

type Row = Record<string, unknown>;

/** Whoever writes the database changes what this very process sealed, before a job reads it again. */
describe.each(quickDatabases())('what was edited after it was sealed on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ROLE: 'api' });

  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const note = async (service: RunningService): Promise<string> => {
    const client = rig.at(service, rig.world.principal.client);
    const { id } = await ok(
      client.post('/v1/records', { type: 'note', criteria: { text: 'a note' } }),
    );
    return String(id);
  };
  const rowOf = async (table: string, id: string): Promise<Row> =>
    (await rig.database.raw(`SELECT * FROM ${table} WHERE chain_key = '${id}'`))[0]!;
  const set = (table: string, id: string, column: string, value: unknown): Promise<unknown> =>
    rig.database.raw(`UPDATE ${table} SET ${column} = ${literal(value)} WHERE chain_key = '${id}'`);
  const flipped = (bytes: unknown, at: number): Uint8Array => {
    const edited = Uint8Array.from(bytes as Uint8Array);
    edited[edited.length + at] = edited.at(at)! ^ 1;
    return edited;
  };

  it.each<[string, (id: string, other: string) => Promise<unknown>]>([
    [
      'the signature of its entry',
      async (id) =>
        set(
          'chain_entries',
          id,
          'cose_sign1',
          flipped((await rowOf('chain_entries', id))['cose_sign1'], -1),
        ),
    ],
    [
      'the hash in the row of its head',
      async (id) =>
        set('chain_heads', id, 'hash', flipped((await rowOf('chain_heads', id))['hash'], -1)),
    ],
    [
      'the time in the row of its head',
      async (id) =>
        set('chain_heads', id, 'at', Number((await rowOf('chain_heads', id))['at']) + 1),
    ],
    [
      'its entry and its head, which are those of another chain',
      async (id, other) => {
        const { cose_sign1: bytes, hash, at } = await rowOf('chain_entries', other);
        await set('chain_entries', id, 'cose_sign1', bytes);
        await set('chain_entries', id, 'hash', hash);
        await set('chain_heads', id, 'hash', hash);
        await set('chain_heads', id, 'at', at);
      },
    ],
    [
      'its place',
      async (id) => {
        await set('chain_entries', id, 'position', 2);
        await set('chain_heads', id, 'position', 2);
      },
    ],
  ])('a round covers no chain of which somebody changed %s', (_what, edit) =>
    rig.run(async (service) => {
      const [id, other] = [await note(service), await note(service)];
      await edit(id, other);
      const result = await service.container.get(CheckpointRound).run();
      expect(result?.uncovered).toContainEqual({ chainKey: id, finding: 'payload_drift' });
      const found = service.container.get(TOKENS.checkpointReads);
      expect(await found.newestOf(id)).toBeNull();
      expect(await found.newestOf(other)).not.toBeNull();
      // The next test begins with rows that are whole.
      for (const table of ['chain_entries', 'chain_heads'])
        await rig.database.raw(`DELETE FROM ${table} WHERE chain_key = '${id}'`);
    }),
  );

  it('no log takes an entry over whose bytes were changed, nor one for another org', () =>
    rig.run(async (service) => {
      const [whole, changed, moved] = [
        await note(service),
        await note(service),
        await note(service),
      ];
      const { cose_sign1: bytes, org_id: org } = await rowOf('chain_entries', changed);
      await set('chain_entries', changed, 'cose_sign1', flipped(bytes, -1));
      await set('chain_entries', moved, 'org_id', flipped(org, -1));
      await service.container.get(IntegrateEntries).run();
      const logged = await rig.database.raw(
        `SELECT chain_key, log_key FROM scitt_leaves WHERE chain_key IN ('${whole}', '${changed}', '${moved}')`,
      );
      expect(logged).toEqual([
        { chain_key: whole, log_key: statementLog(uuidOf(org as Uint8Array)) },
      ]);
    }));

  it('what nobody changed is read and hashed, and its signature is not verified a second time', () =>
    rig.run(async (service) => {
      const ids = await Promise.all(Array.from({ length: 30 }, () => note(service)));
      const round = service.container.get(CheckpointRound);
      const entriesAt = vi.spyOn(service.container.get(TOKENS.chainReads), 'entriesAt');
      const verify = vi.spyOn(crypto.subtle, 'verify');
      await round.run();
      const read = entriesAt.mock.calls.flatMap(([heads]) => heads.map((head) => head.chainKey));
      expect(read).toEqual(expect.arrayContaining(ids));
      expect(verify.mock.calls.length).toBeLessThan(ids.length);
      vi.restoreAllMocks();
    }));

  it('a leaf whose place somebody changed keeps no other entry out of the log', () =>
    rig.run(async (service) => {
      const moved = await note(service);
      const integrate = service.container.get(IntegrateEntries);
      await integrate.run();
      await rig.database.raw('DROP TRIGGER scitt_leaves_no_update');
      await set('scitt_leaves', moved, 'chain_key', 'elsewhere');
      const whole = await note(service);
      await integrate.run();
      expect(await rowOf('scitt_leaves', whole)).toMatchObject({ position: 1 });
    }));
});

const uuidOf = (bytes: Uint8Array): string =>
  toHex(Uint8Array.from(bytes)).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
