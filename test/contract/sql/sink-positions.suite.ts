import { describe, expect, it } from 'vitest';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of application/siem/sink-positions.port.ts

export const sinkPositionsSuite = (kind: DatabaseKind): void => {
  describe(`positions of sinks on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const place = (sequence: number) => ({ sequence, id: uuid(), numberedAt: at(sequence) });

    it('are moved only from where they are, each for itself', async () => {
      const { sinkPositions } = database().another({});
      const [first, second] = [place(3), place(7)];
      expect(await sinkPositions.find('file')).toBeNull();
      expect(await sinkPositions.move('file', second, first)).toBe(false);
      expect(await sinkPositions.move('file', null, first)).toBe(true);
      expect(await sinkPositions.find('file')).toEqual(first);
      expect(await sinkPositions.find('http')).toBeNull();
      expect(await sinkPositions.move('file', null, second)).toBe(false);
      expect(await sinkPositions.move('file', second, place(9))).toBe(false);
      expect(await sinkPositions.find('file')).toEqual(first);
      expect(await sinkPositions.move('file', first, second)).toBe(true);
      expect(await sinkPositions.find('file')).toEqual(second);
      // A restored database gives smaller numbers again.
      expect(await sinkPositions.move('file', second, place(5))).toBe(true);
    });

    it('of two that move at once one does', async () => {
      const [one, other] = [database().another({}), database().another({})];
      const from = await one.sinkPositions.find('http');
      const moved = await Promise.all(
        [one, other, one, other].map(({ sinkPositions }, n) =>
          sinkPositions.move('http', from, place(n + 1)),
        ),
      );
      expect(moved.filter((did) => did)).toHaveLength(1);
    });
  });
};
