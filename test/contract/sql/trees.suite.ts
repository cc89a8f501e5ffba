import { describe, expect, it } from 'vitest';
import { SqlTreeReads } from '../../../adapters/sql/transparency/tree-store.ts';
import { GrowingTree, peaksOf, type TreeNode } from '../../../domain/transparency/rfc9162-tree.ts';
import { statementLog } from '../../../domain/transparency/statement-log.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { trustingReader } from '../../support/databases/row-keys.ts';
import type { LogKey } from '../../../domain/transparency/tree-store.port.ts';
import { literal } from '../../support/service/vault-rig.ts';
import { bytes, uuid } from './samples.ts';
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

    /** The plan of the statement goes to the rows of the table by the whole key. @param bounds as SQLite shows them. */
    const expectSearched = async (sql: string, table: string, bounds: string): Promise<void> => {
      const explain = kind.name === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN QUERY PLAN';
      const steps = await database().raw(`${explain} ${sql}`);
      const searches = steps.filter((step) => JSON.stringify(step).includes(table));
      expect(searches).not.toHaveLength(0);
      for (const step of searches)
        expect(step).toMatchObject(
          kind.name === 'mysql'
            ? { type: 'range', key: 'PRIMARY' }
            : { detail: expect.stringContaining(bounds) },
        );
    };

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
      const { reads, asked } = listening();
      await reads.hashes('one', peaksOf(LEAVES));
      await expectSearched(asked[0]!, 'log_nodes', '(log_key=? AND level=? AND node_index=?)');
    });

    /** The log of an org. */
    const filled = async (nodes: readonly TreeNode[]): Promise<LogKey> => {
      const log = statementLog(uuid());
      const leaves = nodes
        .filter(({ level }) => level === 0)
        .map(({ index, hash }) => ({ index, hash, entry: null }));
      await database().adapter.unitOfWork.transaction(async ({ statementLogs, trees }) => {
        await statementLogs.add(log, leaves);
        await trees.add(log, nodes);
      });
      return log;
    };

    it('of the log of an org are made of its leaves on the lowest levels, and stored above them', async () => {
      const { unitOfWork, reads } = database().adapter;
      const nodes = grown();
      const log = await filled(nodes);
      await unitOfWork.transaction(async ({ trees }) => {
        expect(await trees.hashes(log, nodes)).toEqual(nodes.map(({ hash }) => hash));
      });
      expect(await reads.trees.hashes(log, nodes)).toEqual(nodes.map(({ hash }) => hash));
      const few = [nodes.at(-1)!, nodes[0]!, nodes.find(({ level }) => level === 2)!];
      expect(await reads.trees.hashes(log, few)).toEqual(few.map(({ hash }) => hash));
      expect(await reads.trees.hashes(log, [{ level: 2, index: LEAVES / 4 }])).toEqual([null]);
      const [stored] = await database().raw(
        `SELECT COUNT(*) AS n, MIN(level) AS lowest FROM log_nodes WHERE log_key = '${log}'`,
      );
      expect(Number(stored!['lowest'])).toBe(3);
      expect(Number(stored!['n'])).toBeLessThan(LEAVES / 4);
    });

    it('of the log of an org are read with the leaves of a few places, by the whole key', async () => {
      const { reads, asked } = listening();
      await reads.hashes(await filled(grown()), [
        { level: 0, index: 9 },
        { level: 1, index: 5 },
        { level: 2, index: 3 },
        { level: 1, index: 100 },
      ]);
      expect(asked).toHaveLength(1);
      expect(asked[0]!.match(/BETWEEN [0-9]+ AND [0-9]+/g)).toEqual([
        'BETWEEN 9 AND 15',
        'BETWEEN 200 AND 201',
      ]);
      await expectSearched(
        asked[0]!,
        'scitt_leaves',
        '(log_key=? AND leaf_index>? AND leaf_index<?)',
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

/** Reads that find nothing, and the statements that they asked. */
const listening = (): { readonly reads: SqlTreeReads; readonly asked: readonly string[] } => {
  const asked: string[] = [];
  const reader = trustingReader((sql, values) => {
    let at = 0;
    asked.push(sql.replace(/\?/g, () => literal(values[at++])));
    return Promise.resolve([]);
  });
  return { reads: new SqlTreeReads(reader), asked };
};
