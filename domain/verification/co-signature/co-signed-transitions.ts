import type { Action } from '../../record/actions.ts';

/** What a transition was ever asked for by name. One that was served stays here. */
export const TRANSITIONS = [
  'propose',
  'activate',
  'accept',
  'accept-counter',
  'reject',
  'counter-propose',
  'revision',
  'evaluate',
  'verify-cascade',
  'cancel',
] as const satisfies readonly Action[];

export const TRANSITION_ACTIONS: ReadonlySet<string> = new Set(TRANSITIONS);
