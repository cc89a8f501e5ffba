import { describe, expect, it } from 'vitest';
import { lifecycleSvg } from '../../../domain/record/lifecycle-svg.ts';
import { ADD_REFERENCE, LIFECYCLE, type Transition } from '../../../domain/record/lifecycle.ts';
import { isStep } from '../../../domain/record/lifecycle-queries.ts';
import { STATUSES, TERMINAL } from '../../../domain/record/record-status.ts';
import { arrowsOf, mermaidOf } from '../../../domain/record/lifecycle-diagram.ts';

const rows: readonly Transition[] = LIFECYCLE;
const ofTable = new Set(
  rows.flatMap((row) =>
    (row.from.length ? row.from : ['[*]']).flatMap((from) =>
      row.to.map((to) => `${from} > ${to === 'unchanged' ? from : to}: ${row.action}`),
    ),
  ),
);

describe('the diagram of the lifecycle', () => {
  it('has every step of the table, and no other, each pair of states once', () => {
    const arrows = arrowsOf(rows);
    expect(
      new Set(
        arrows.flatMap(({ from, to, actions }) =>
          actions.map((action) => `${from ?? '[*]'} > ${to}: ${action}`),
        ),
      ),
    ).toEqual(ofTable);
    expect(new Set(arrows.map(({ from, to }) => `${from} ${to}`)).size).toBe(arrows.length);
  });

  it('says the same in Mermaid', () => {
    const [head, ...lines] = mermaidOf(rows).split('\n');
    expect(head).toBe('stateDiagram-v2');
    const read = lines.flatMap((line) => {
      const [, from, to, actions] = /^ {4}(\S+) --> (\S+): (.+)$/.exec(line)!;
      return actions!.split(', ').map((action) => `${from} > ${to}: ${action}`);
    });
    expect(new Set(read)).toEqual(ofTable);
  });

  it('draws the path of one record in, over everything else, and names it for whoever cannot see it', () => {
    const taken = (svg: string): number => svg.split('marker-end="url(#head-taken)"').length - 1;
    expect(taken(lifecycleSvg(rows))).toBe(0);
    const path = [
      { from: null, to: 'ACTIVE' },
      { from: 'ACTIVE', to: 'FULFILLED' },
      { from: 'FULFILLED', to: 'FAILED' },
    ] as const;
    const svg = lifecycleSvg(rows, path);
    expect(taken(svg)).toBe(3);
    const lines = svg.split('\n').find((line) => line.startsWith('<g fill="none"'))!;
    expect(lines.lastIndexOf('"url(#head)"')).toBeLessThan(lines.indexOf('"url(#head-taken)"'));
    expect(svg).toContain('with the path that this one took</title>');
    expect(svg.length - lifecycleSvg(rows).length).toBeLessThan(1_000);
  });
});

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

describe('the image of the lifecycle', () => {
  const svg = lifecycleSvg(rows);
  const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"([^>]*)>([^<]*)<\/text>/g)].map(
    ([, x, y, attributes, content]) => ({
      x: Number(x),
      y: Number(y),
      attributes: attributes!,
      content: content!,
    }),
  );
  const rects: readonly Area[] = [
    ...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g),
  ].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));
  const holding = (x: number, y: number): number =>
    rects.filter(
      (rect) => x > rect.x && x < rect.x + rect.width && y > rect.y && y < rect.y + rect.height,
    ).length;
  const labels = texts.filter(({ attributes }) => attributes === '');

  it('is well-formed: every element is closed, every number is one', () => {
    const open: string[] = [];
    for (const [, closing, name, empty] of svg.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
      if (closing) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name!);
    }
    expect(open).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('holds nothing that runs or loads anything', () => {
    expect(svg).not.toMatch(/<script|<foreignObject|<image|<style|href|\bon[a-z]+=|style="/i);
  });

  it.each(STATUSES)(
    'shows %s once, in a box of its own, and marks it where it ends a record',
    (status) => {
      const named = texts.filter(({ content }) => content === status);
      expect(named).toHaveLength(1);
      expect(holding(named[0]!.x, named[0]!.y - 4)).toBe(TERMINAL.has(status) ? 2 : 1);
    },
  );

  it('draws one line for each pair of states', () => {
    expect(svg.match(/marker-end/g)).toHaveLength(arrowsOf(rows).length);
  });

  it('names every action as often as an arrow has it, and no words lie on a box or on other words', () => {
    const named = labels.flatMap(({ content }) => content.split(', ')).sort();
    expect(named).toEqual(
      arrowsOf(rows)
        .flatMap(({ actions }) => actions)
        .sort(),
    );
    for (const label of labels)
      expect({
        label,
        boxes:
          holding(label.x + 2, label.y - 4) +
          holding(label.x + label.content.length * 7, label.y - 4),
      }).toMatchObject({ boxes: 0 });
    for (const [index, one] of labels.entries())
      for (const other of labels.slice(index + 1)) {
        const apart =
          Math.abs(one.y - other.y) >= 12 ||
          one.x + one.content.length * 7 < other.x ||
          other.x + other.content.length * 7 < one.x;
        expect({ one, other, apart }).toMatchObject({ apart: true });
      }
  });

  it('follows the table: a row more is a line more', () => {
    const more: Transition = {
      ...ADD_REFERENCE,
      action: 'view',
      from: ['RECORDED'],
      to: ['REJECTED'],
    };
    const image = lifecycleSvg([...rows, more]);
    expect(image.match(/marker-end/g)).toHaveLength(arrowsOf(rows).length + 1);
    expect(image).not.toMatch(/NaN|undefined/);
  });
});

describe('the reference, which stands beside the table', () => {
  it.each(STATUSES)('is a step that leaves %s as it is', (status) => {
    expect(ADD_REFERENCE.from).toContain(status);
    expect(
      isStep({
        action: ADD_REFERENCE.action,
        from: status,
        to: status,
        entry: ADD_REFERENCE.entry,
      }),
    ).toBe(true);
    for (const other of STATUSES)
      if (other !== status)
        expect(
          isStep({
            action: ADD_REFERENCE.action,
            from: status,
            to: other,
            entry: ADD_REFERENCE.entry,
          }),
        ).toBe(false);
  });
});
