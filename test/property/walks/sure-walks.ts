import type { ActorName } from './cast.ts';
import type { Command, Create, DisputeStep } from './command.ts';

/** One record by itself; the rarest ways to end, so that no run depends on chance to meet them. */
const opened = (more: Partial<Create> = {}): Create => ({
  do: 'create',
  as: 'alice',
  label: 'r1',
  type: 'job',
  criteria: 'base',
  performer: 'carol',
  auto: true,
  ...more,
});
const delivered: Command = { do: 'submit', as: 'carol', on: 'r1', evidence: 'pass' };
const verdict = (says: 'accept' | 'reject'): Command => ({
  do: 'verdict',
  as: 'alice',
  on: 'r1',
  verdict: says,
  completion: 'latest',
});
const dispute = (as: ActorName, step: DisputeStep, outcome?: 'UPHELD' | 'OVERTURNED'): Command => ({
  do: 'dispute',
  as,
  on: 'r1',
  step,
  ...(outcome ? { outcome } : {}),
});
const counter = (as: ActorName): Command => ({
  do: 'take',
  as,
  on: 'r1',
  action: 'counter-propose',
  via: 'path',
  criteria: 'counter',
});

export const SURE_WALKS: readonly (readonly Command[])[] = [
  [
    opened(),
    delivered,
    verdict('accept'),
    dispute('alice', 'open'),
    dispute('carol', 'resolve', 'OVERTURNED'),
    verdict('accept'),
  ],
  [
    opened(),
    delivered,
    verdict('reject'),
    dispute('carol', 'open'),
    dispute('alice', 'resolve', 'OVERTURNED'),
  ],
  [opened(), delivered, verdict('reject'), verdict('accept')],
  [
    opened({ type: 'brief' }),
    delivered,
    { do: 'wait', on: 'r1', as: 'platform' },
    dispute('carol', 'open'),
    dispute('carol', 'escalate'),
    dispute('admin-a', 'resolve', 'OVERTURNED'),
  ],
  [
    opened(),
    delivered,
    { do: 'take', as: 'alice', on: 'r1', action: 'cancel', via: 'path' },
    dispute('carol', 'open'),
    dispute('alice', 'escalate'),
    dispute('carol', 'escalate'),
    dispute('admin-a', 'resolve', 'OVERTURNED'),
    dispute('platform', 'resolve', 'OVERTURNED'),
  ],
  [
    opened(),
    delivered,
    { do: 'take', as: 'alice', on: 'r1', action: 'revision', via: 'path' },
    { do: 'create', as: 'carol', label: 'r2', type: 'note', criteria: 'base', parent: 'r1' },
    delivered,
    verdict('accept'),
  ],
  ...[
    opened({ fuse: true }),
    opened({ auto: false, fuse: true }),
    (({ performer: _nobody, ...draft }) => draft)(opened({ auto: false, fuse: true })),
  ].map((one) => [one, { do: 'wait', on: 'r1', as: 'platform' } as const]),
  // The tenth counter-proposal is the last.
  [
    opened({ auto: false }),
    ...Array.from({ length: 5 }, () => [counter('carol'), counter('alice')]).flat(),
    counter('carol'),
    { ...counter('carol'), criteria: 'bad' } as Command,
    { do: 'take', as: 'carol', on: 'r1', action: 'accept-counter', via: 'path', hash: 'counter' },
  ],
];
