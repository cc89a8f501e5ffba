import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeLayout } from '../../../adapters/console/tree-layout.ts';

const BOX = [100, 40] as const;
const node = (id: string, parentRecordId: string | null) => ({ id, parentRecordId });

describe('the layout of a delegation tree', () => {
  it('puts each record below its parent, and lets no two overlap, whatever the tree', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (parents) => {
        const nodes = parents.map((parent, index) =>
          node(`n${index}`, index === 0 ? null : `n${parent % index}`),
        );
        const { nodes: placed, lines, width, height } = treeLayout(nodes, BOX);
        expect(placed.length).toBe(nodes.length);
        expect(lines.length).toBe(nodes.length - 1);
        for (const { from, to } of lines) {
          expect(to.node.parentRecordId).toBe(from.node.id);
          expect(to.y).toBeGreaterThan(from.y + BOX[1]);
        }
        for (const one of placed) {
          expect(one.x).toBeGreaterThanOrEqual(0);
          expect(one.x + BOX[0]).toBeLessThanOrEqual(width);
          expect(one.y + BOX[1]).toBeLessThanOrEqual(height);
          for (const other of placed)
            if (other !== one && other.y === one.y)
              expect(Math.abs(other.x - one.x)).toBeGreaterThanOrEqual(BOX[0]);
        }
      }),
    );
  });

  it('shows what an answer of any kind holds: parts without a root, doubled ids, ancestors of themselves', () => {
    const { nodes, lines } = treeLayout(
      [node('a', 'gone'), node('b', 'a'), node('b', 'a'), node('c', 'd'), node('d', 'c')],
      BOX,
    );
    expect(nodes.map((one) => one.node.id).sort()).toEqual(['a', 'b']);
    expect(lines.length).toBe(1);
    expect(treeLayout([], BOX).nodes).toEqual([]);
    expect(treeLayout([node('c', 'd'), node('d', 'c')], BOX).nodes).toEqual([]);
  });
});
