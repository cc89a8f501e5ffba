import { describe, expect, it } from 'vitest';
import { SqlTreeReads } from '../../../adapters/sql/stores/tree-store.ts';
import { GrowingTree, peaksOf, type TreeNode } from '../../../domain/transparency/rfc9162-tree.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { trustingReader } from '../../support/row-keys.ts';
import { literal } from '../../support/vault-rig.ts';
import { bytes } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/transparency/tree-store.port.ts

const LEAVES = 300;

const grown = (): readonly TreeNode[] => {
  const tree = new GrowingTree(0, []);
  return Array.from({ length: LEAVES }, (_, at) => tree.append(bytes(`leaf ${at}`))).flat();
};

export const treesSuite = (kind: DatabaseKind): void => {
  describe(`the nodes of logs on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('are found by their place, in the order asked for; one that is missing is null', async () => {
      const { unitOfWork, reads } = database().adapter;
      const nodes = grown();
      await unitOfWork.transaction((stores) => stores.trees.add('one', nodes));
      const [first, last] = [nodes[0]!, nodes.at(-1)!];
      const missing = { level: 40, index: 0 };
      expect(await reads.trees.hashes('one', [last, missing, first])).toEqual([
        last.hash,
        null,
        first.hash,
      ]);
      expect(await reads.trees.hashes('other', peaksOf(LEAVES))).toEqual(
        peaksOf(LEAVES).map(() => null),
      );
      expect(await reads.trees.hashes('one', [])).toEqual([]);
    });

    it('are read by the whole key, and never log by log', async () => {
      const asked: string[] = [];
      const reads = new SqlTreeReads(
        trustingReader((sql, values) => {
          let at = 0;
          asked.push(sql.replace(/\?/g, () => literal(values[at++])));
          return Promise.resolve([]);
        }),
      );
      await reads.hashes('one', peaksOf(LEAVES));
      const explain = kind.name === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN QUERY PLAN';
      const steps = await database().raw(`${explain} ${asked[0]!}`);
      const searches = steps.filter((step) => /log_nodes/.test(JSON.stringify(step)));
      expect(searches).not.toHaveLength(0);
      for (const step of searches)
        expect(step).toMatchObject(
          kind.name === 'mysql'
            ? { type: 'range', key: 'PRIMARY' }
            : { detail: expect.stringContaining('(log_key=? AND level=? AND node_index=?)') },
        );
    });

    it('stay as they were written first', async () => {
      const { unitOfWork, reads } = database().adapter;
      const place = { level: 3, index: 7 };
      await unitOfWork.transaction(async ({ trees }) => {
        await trees.add('twice', [{ ...place, hash: bytes('first') }]);
        await trees.add('twice', [
          { ...place, hash: bytes('second') },
          { level: 3, index: 8, hash: bytes('next') },
        ]);
        expect(await trees.hashes('twice', [place])).toEqual([bytes('first')]);
      });
      expect(await reads.trees.hashes('twice', [place, { level: 3, index: 8 }])).toEqual([
        bytes('first'),
        bytes('next'),
      ]);
      await expect(database().raw('UPDATE log_nodes SET level = 0')).rejects.toThrow('append-only');
      await expect(database().raw('DELETE FROM log_nodes')).rejects.toThrow('append-only');
    });
  });
};
