import { describe, expect, it } from 'vitest';
import { withConfigSource } from '../../../adapters/sql/scan/config-source.ts';
import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { ROW_KEYS } from '../../support/databases/row-keys.ts';
import { sampleAgent, sampleOrg, sampleRecordType, uuid } from './samples.ts';
import { flat, useDatabase } from './suite.ts';

// Contract of application/config-import/config-source.port.ts

const sql = (id: string): string => `x'${id.replaceAll('-', '')}'`;

export const configSourceSuite = (kind: DatabaseKind): void => {
  describe(`config source on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('gives every row with the worth of its MAC, past a page and whatever somebody wrote into it', async () => {
      const org = sampleOrg();
      const agents = Array.from({ length: 503 }, () => sampleAgent(org.id));
      const [edited, unreadable] = agents as [(typeof agents)[0], (typeof agents)[0]];
      const type = sampleRecordType({ orgId: org.id });
      const broken = sampleRecordType({ orgId: org.id, version: 2 });
      await database().adapter.unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(org);
        for (const agent of agents) await stores.agents.insert(agent);
        for (const one of [type, broken]) await stores.recordTypes.insert(one);
      });
      await database().raw(`UPDATE agents SET name = 'Else' WHERE id = ${sql(edited.id)}`);
      await database().raw(`UPDATE agents SET capabilities = '[' WHERE id = ${sql(unreadable.id)}`);
      await database().raw(`UPDATE record_types SET manifest = '[1]' WHERE id = ${sql(broken.id)}`);
      await withConfigSource(database().url, ROW_KEYS, async (source) => {
        expect(await flat(source.orgs())).toEqual([{ id: org.id, value: org, mac: 'holds' }]);
        const found = new Map((await flat(source.agents())).map((row) => [row.id, row]));
        expect([...found.keys()].toSorted()).toEqual(agents.map(({ id }) => id).toSorted());
        expect(found.get(edited.id)).toEqual({
          id: edited.id,
          value: { ...edited, name: 'Else' },
          mac: 'broken',
        });
        expect(found.get(unreadable.id)).toEqual({ id: unreadable.id, value: null, mac: 'broken' });
        expect([...found.values()].filter(({ mac }) => mac === 'holds')).toHaveLength(501);
        const types = await flat(source.recordTypes());
        expect(types.map(({ version }) => version).toSorted()).toEqual([1, 2]);
        expect(types.find(({ id }) => id === type.id)).toEqual({
          id: type.id,
          orgId: org.id,
          publisher: type.publisher,
          type: type.type,
          version: 1,
          manifestDigest: type.manifestDigest,
        });
        expect(await source.manifest(type.id)).toEqual(type.manifest);
        expect(await source.manifest(broken.id)).toBeNull();
        expect(await source.manifest(uuid())).toBeNull();
        expect(await source.vaultKeys.hub()).toBeNull();
      });
      const others = rowKeysOf([new Uint8Array(32).fill(3)]);
      for (const keys of [others, []])
        await withConfigSource(database().url, keys, async (source) => {
          expect(await flat(source.orgs())).toMatchObject([{ mac: 'unknown' }]);
        });
    });

    it('shows one moment, and cannot write', async () => {
      await withConfigSource(database().url, ROW_KEYS, async (source) => {
        const before = await flat(source.orgs());
        await database().adapter.unitOfWork.transaction((stores) =>
          stores.orgs.insert(sampleOrg()),
        );
        expect(await flat(source.orgs())).toEqual(before);
      });
    });
  });
};
