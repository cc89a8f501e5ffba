import { LIFECYCLE, type Transition } from '../../../domain/record/lifecycle.ts';
import { STATUSES, type RecordStatus } from '../../../domain/record/record-status.ts';
import { lifecycleSvg, type Step } from '../../../domain/record/lifecycle-svg.ts';
import type { StoryStep } from '../../../domain/verification/report/story.ts';
import { el } from './elements.ts';

/** The lifecycle with the path of the record drawn in, and the path in words. */
export const showLifecycle = (steps: readonly StoryStep[]): HTMLElement | null => {
  const path = pathOf(steps);
  if (path.length === 0) return null;
  const transitions: readonly Transition[] = LIFECYCLE;
  const image = new DOMParser().parseFromString(
    drawn(lifecycleSvg(transitions, path)),
    'image/svg+xml',
  );
  return el(
    'section',
    { 'aria-labelledby': 'lifecycle-title' },
    el('h2', { id: 'lifecycle-title' }, 'The path it took'),
    el('p', { id: 'path' }, [path[0]!.from ?? 'new', ...path.map(({ to }) => to)].join(' → ')),
    el(
      'figure',
      { class: 'picture', tabindex: '0', 'aria-label': 'Lifecycle, scrolls sideways' },
      document.importNode(image.documentElement, true),
    ),
  );
};

/** The one text that a page reads as markup, of states and actions alone: nothing of a file is in it. */
const drawn = (svg: string): string => policy?.createHTML(svg) ?? svg;

/** Where the page demands Trusted Types, markup passes by this policy alone. */
const policy = (
  globalThis as { readonly trustedTypes?: TrustedTypePolicies }
).trustedTypes?.createPolicy('notary-lifecycle', { createHTML: (svg) => svg });

/** Of the Trusted Types of a browser, which not all have. */
interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): { createHTML(text: string): string };
}

/** Each change of the status, in order. A step that leaves it as it is is no part of a path, unless it began there. */
const pathOf = (steps: readonly StoryStep[]): readonly Step[] =>
  steps.flatMap(({ transition }) => {
    if (!transition || transition.from === transition.to) return [];
    const { from, to } = transition;
    return isStatus(to) && (from === null || isStatus(from)) ? [{ from, to }] : [];
  });

const isStatus = (text: string): text is RecordStatus =>
  (STATUSES as readonly string[]).includes(text);
