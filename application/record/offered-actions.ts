import type { Action } from '../../domain/record/lifecycle.ts';

/** The actions that this release has a use case for. Guidance, and `/transition`, know no other. */
export const OFFERED_ACTIONS: ReadonlySet<Action> = new Set<Action>([
  'propose',
  'activate',
  'accept',
  'reject',
  'counter-propose',
  'accept-counter',
  'submit-completion',
  'render-verdict',
  'revision',
  'evaluate',
  'verify-cascade',
  'delegate',
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'resolve-dispute',
  'withdraw-dispute',
  'cancel',
  'add-reference',
  'view',
  'export-audit',
]);
