import type { Scene } from './rules.ts';

const QUIET = {
  inFlight: 2,
  answersInFlight: 1,
  carries: true,
  signals: false,
  maxRefused: 1,
  answersFade: false,
  suspensions: 0,
  revocations: 0,
  restores: 0,
  changesOfMind: 0,
} as const;

/**
 * Each scene is explored whole. Together they hold every rule; one scene with everything in it outgrows a desk, and
 * `FEDERATION_MODEL=large` comes as near as a machine with 4 GB does.
 */
export const SCENES: readonly Scene[] = [
  {
    ...QUIET,
    name: 'an offer, its refusal, counter-proposals',
    start: 'offer',
    limits: { rounds: 2, revisions: 0, tiers: 0, disputes: 0 },
    inFlight: 1,
    carries: false,
    changesOfMind: 1,
  },
  {
    ...QUIET,
    name: 'an offer, with messages that pass each other',
    start: 'offer',
    limits: { rounds: 0, revisions: 0, tiers: 0, disputes: 0 },
    changesOfMind: 2,
  },
  {
    ...QUIET,
    name: 'work, a revision, a verdict, its signal',
    start: 'active',
    limits: { rounds: 0, revisions: 1, tiers: 0, disputes: 0 },
    signals: true,
  },
  {
    ...QUIET,
    name: 'a dispute of the principal',
    start: 'fulfilled',
    limits: { rounds: 0, revisions: 0, tiers: 3, disputes: 1 },
    signals: true,
    inFlight: 1,
  },
  {
    ...QUIET,
    name: 'a dispute of the performer, first answers forgotten',
    start: 'failed',
    limits: { rounds: 0, revisions: 0, tiers: 2, disputes: 1 },
    inFlight: 1,
    answersFade: true,
    maxRefused: 2,
  },
  {
    ...QUIET,
    name: 'a suspended hour on either side',
    start: 'delivered',
    limits: { rounds: 0, revisions: 1, tiers: 0, disputes: 0 },
    suspensions: 1,
  },
  {
    ...QUIET,
    name: 'a revocation midway',
    start: 'delivered',
    limits: { rounds: 0, revisions: 1, tiers: 0, disputes: 0 },
    revocations: 1,
    inFlight: 1,
  },
  {
    ...QUIET,
    name: 'a backup restored and acknowledged',
    start: 'delivered',
    limits: { rounds: 0, revisions: 1, tiers: 0, disputes: 0 },
    restores: 1,
    inFlight: 1,
    carries: false,
  },
];

export const LARGE_SCENES: readonly Scene[] = [
  ...SCENES.map((scene) => ({ ...scene, inFlight: 2, signals: true, maxRefused: 2 })),
  {
    ...QUIET,
    name: 'a whole life',
    start: 'offer',
    limits: { rounds: 1, revisions: 1, tiers: 1, disputes: 1 },
    inFlight: 1,
    carries: false,
  },
  {
    ...QUIET,
    name: 'a backup from before the offer',
    start: 'offer',
    carries: false,
    limits: { rounds: 0, revisions: 0, tiers: 0, disputes: 0 },
    restores: 1,
    changesOfMind: 1,
    inFlight: 1,
  },
];
