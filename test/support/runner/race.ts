import { expect } from 'vitest';
import type { Answer, Body } from '../service/world.ts';

export type Node = 'a' | 'b';

/** How often each race between two processes is run. */
export const RACE_ROUNDS = Number(process.env['NOTARY_RACE_ROUNDS'] ?? 3);

/** Two calls at once, one to each node; every other round the nodes change places. */
export const both = (
  round: number,
  one: (node: Node) => Promise<Answer<Body>>,
  other: (node: Node) => Promise<Answer<Body>>,
): Promise<readonly [Answer<Body>, Answer<Body>]> =>
  round % 2 === 0 ? Promise.all([one('a'), other('b')]) : Promise.all([one('b'), other('a')]);

/** Whatever order they took: nobody is told of a fault of the service. */
export const expectNoFault = (answers: readonly Answer<Body>[]): void => {
  for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBeLessThan(500);
};
