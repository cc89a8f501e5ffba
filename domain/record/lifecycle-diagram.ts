import type { Action } from './actions.ts';
import type { RecordStatus } from './record-status.ts';
import type { Transition } from './lifecycle.ts';

/** What takes a record from one state to another. `from` null: out of nothing. */
export interface Arrow {
  readonly from: RecordStatus | null;
  readonly to: RecordStatus;
  /** In the order of the table, each once. */
  readonly actions: readonly Action[];
}

/** One arrow for each pair of states, in the order of the first transition between them. */
export const arrowsOf = (transitions: readonly Transition[]): readonly Arrow[] => {
  const arrows = new Map<
    string,
    { readonly from: RecordStatus | null; readonly to: RecordStatus; readonly actions: Set<Action> }
  >();
  for (const transition of transitions) {
    for (const from of transition.from.length === 0 ? [null] : transition.from) {
      for (const target of transition.to) {
        const to = target === 'unchanged' ? from : target;
        if (to === null) continue;
        const key = `${from ?? ''} ${to}`;
        const arrow = arrows.get(key) ?? { from, to, actions: new Set<Action>() };
        arrow.actions.add(transition.action);
        arrows.set(key, arrow);
      }
    }
  }
  return [...arrows.values()].map(({ actions, ...ends }) => ({ ...ends, actions: [...actions] }));
};

/** The transitions as a state diagram in the language of Mermaid. */
export const mermaidOf = (transitions: readonly Transition[]): string =>
  [
    'stateDiagram-v2',
    ...arrowsOf(transitions).map(
      ({ from, to, actions }) => `    ${from ?? '[*]'} --> ${to}: ${actions.join(', ')}`,
    ),
  ].join('\n');
