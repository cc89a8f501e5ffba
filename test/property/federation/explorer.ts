import { movesFrom, type Move } from './moves.ts';
import { isQuiescent, wrongAnywhere, wrongAtRest } from './properties.ts';
import { begin, keyOf, type Play, type State } from './world.ts';

export interface Explored {
  readonly states: number;
  readonly moves: number;
  readonly quiescent: number;
  /** The shortest way to what is wrong, the fault last; null where nothing is. */
  readonly fault: readonly string[] | null;
}

/** Breadth first, so the first fault found has a shortest trace. @throws where the space outgrows `limit`. */
export const explore = (play: Play, limit: number): Explored => {
  const first = begin(play);
  const found = new Map<string, number>([[keyOf(first), 0]]);
  const cameFrom: { readonly parent: number; readonly label: string }[] = [
    { parent: -1, label: 'start' },
  ];
  const backwards: [from: number, to: number][] = [];
  const resting: number[] = [];
  let queue: State[] = [first];
  let moves = 0;
  const report = (fault: string, at: number): Explored => ({
    states: found.size,
    moves,
    quiescent: resting.length,
    fault: [...traceTo(cameFrom, at), fault],
  });
  for (let index = 0; queue.length > 0;) {
    const following: State[] = [];
    for (const state of queue) {
      const wrong = wrongAnywhere(state) ?? (isQuiescent(play, state) ? wrongAtRest(state) : null);
      if (wrong) return report(wrong, index);
      if (isQuiescent(play, state)) resting.push(index);
      for (const move of movesFrom(play, state)) {
        moves++;
        const to = visit(move, index);
        if (move.kind !== 'party') backwards.push([index, to]);
      }
      index++;
    }
    queue = following;

    function visit({ to, label }: Move, parent: number): number {
      const key = keyOf(to);
      const known = found.get(key);
      if (known !== undefined) return known;
      const fresh = found.size;
      if (fresh >= limit) throw new Error(`${play.scene.name}: more than ${limit} states`);
      found.set(key, fresh);
      cameFrom.push({ parent, label });
      following.push(to);
      return fresh;
    }
  }
  const trapped = firstTrapped(found.size, backwards, resting);
  if (trapped !== null) return report('never comes to rest by lanes, wires and operators', trapped);
  return { states: found.size, moves, quiescent: resting.length, fault: null };
};

const traceTo = (
  cameFrom: readonly { readonly parent: number; readonly label: string }[],
  at: number,
): string[] => {
  const trace: string[] = [];
  for (let one = at; one > 0; one = cameFrom[one]?.parent ?? 0)
    trace.unshift(String(cameFrom[one]?.label));
  return trace;
};

/** A state from which no quiescent one can be reached without a party's help: a livelock, or a lane that hangs. */
const firstTrapped = (
  size: number,
  edges: readonly (readonly [from: number, to: number])[],
  resting: readonly number[],
): number | null => {
  const into: number[][] = Array.from({ length: size }, () => []);
  for (const [from, to] of edges) into[to]?.push(from);
  const reaches = new Uint8Array(size);
  const open = [...resting];
  for (const one of open) reaches[one] = 1;
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const before of into[one] ?? [])
      if (!reaches[before]) {
        reaches[before] = 1;
        open.push(before);
      }
  const trapped = reaches.indexOf(0);
  return trapped === -1 ? null : trapped;
};
