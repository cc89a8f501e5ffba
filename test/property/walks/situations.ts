import type { ActorName } from './cast.ts';
import type { Command, Create, DisputeStep, Submit, Take } from './command.ts';

/** The record that a situation is about: alice's of the org a, performed by bob of the org b. */
export const SUBJECT = 'r1';

const created = (more: Partial<Create> = {}): Create => ({
  do: 'create',
  as: 'alice',
  label: SUBJECT,
  type: 'job',
  criteria: 'base',
  performer: 'bob',
  ...more,
});
const take = (as: ActorName, action: string, more: Partial<Take> = {}): Take => ({
  do: 'take',
  as,
  on: SUBJECT,
  action,
  via: 'transition',
  ...more,
});
const submit = (more: Partial<Submit> = {}): Submit => ({
  do: 'submit',
  as: 'bob',
  on: SUBJECT,
  evidence: 'pass',
  ...more,
});
const verdict = (says: 'accept' | 'reject'): Command => ({
  do: 'verdict',
  as: 'alice',
  on: SUBJECT,
  verdict: says,
  completion: 'latest',
});
const child = (more: Partial<Create> = {}): Create => ({
  do: 'create',
  as: 'bob',
  label: 'r2',
  type: 'job',
  criteria: 'base',
  performer: 'dave',
  auto: true,
  parent: SUBJECT,
  ...more,
});
const dispute = (as: ActorName, step: DisputeStep, outcome?: 'UPHELD' | 'OVERTURNED'): Command => ({
  do: 'dispute',
  as,
  on: SUBJECT,
  step,
  ...(outcome ? { outcome } : {}),
});
const counter = (as: ActorName): Command => take(as, 'counter-propose', { criteria: 'counter' });
const { performer: _none, ...drafted } = created();

const active = (type: Create['type'] = 'job'): readonly Command[] => [
  created({ type }),
  take('bob', 'accept'),
];
const withChild = (type: Create['type']): readonly Command[] => [...active(type), child()];
const childEnded = (type: Create['type']): readonly Command[] => [
  ...withChild(type),
  { do: 'take', as: 'dave', on: 'r2', action: 'cancel', via: 'path' },
];
const decided = (says: 'accept' | 'reject', type: Create['type'] = 'job'): readonly Command[] => [
  ...active(type),
  submit(),
  verdict(says),
];

/** Every state of a record with every sub-state that an answer depends on, and how it comes about. */
export const SITUATIONS: Readonly<Record<string, readonly Command[]>> = {
  CREATED: [drafted],
  'CREATED for oneself': [created({ performer: 'alice' })],
  'PROPOSED, the performer is awaited': [created()],
  'PROPOSED by the performer, the principal is awaited': [
    created({ as: 'bob', principal: 'alice' }),
  ],
  'PROPOSED with a counter, the principal is awaited': [created(), counter('bob')],
  'PROPOSED with two counters, the performer is awaited': [
    created(),
    counter('bob'),
    counter('alice'),
  ],
  'PROPOSED with ten counters': [
    created(),
    ...Array.from({ length: 5 }, () => [counter('bob'), counter('alice')]).flat(),
  ],
  'ACTIVE, nothing pending': active(),
  'ACTIVE in auto mode, nothing pending': active('auto'),
  'ACTIVE, a completion pending': [...active(), submit()],
  'ACTIVE, the last completion pending': [
    ...active(),
    submit(),
    take('alice', 'revision'),
    submit(),
  ],
  'ACTIVE in auto mode, a completion left behind': [...active('auto'), submit({ dies: true })],
  'ACTIVE in auto mode, a completion that fails left behind': [
    ...active('auto'),
    submit({ dies: true, evidence: 'fail' }),
  ],
  'ACTIVE, waiting for children': withChild('team'),
  'ACTIVE in auto mode, waiting for children': withChild('auto-team'),
  'ACTIVE with an open child that the rule does not ask for': withChild('job'),
  'ACTIVE with an open child and a completion pending': [...withChild('job'), submit()],
  'ACTIVE, the children ended': childEnded('team'),
  'ACTIVE in auto mode, the children ended and a completion left behind': [
    ...childEnded('auto-team'),
    submit({ dies: true }),
  ],
  'ACTIVE in auto mode, the rule unmet and a completion left behind': [
    ...childEnded('auto-any'),
    submit({ dies: true }),
  ],
  REVISION_REQUESTED: [...active(), submit(), take('alice', 'revision')],
  'REVISION_REQUESTED, waiting for children': [
    ...active('team'),
    submit(),
    take('alice', 'revision'),
    child(),
  ],
  RECORDED: [created({ type: 'note' })],
  FULFILLED: decided('accept'),
  'FULFILLED in auto mode': [...active('auto'), submit()],
  FAILED: decided('reject'),
  'FAILED in auto mode': [...active('auto'), submit({ evidence: 'fail' })],
  REMEDIATED: [...decided('reject'), verdict('accept')],
  EXPIRED: [created({ fuse: true }), { do: 'wait', as: 'platform', on: SUBJECT }],
  'EXPIRED with a completion': [
    ...active('brief'),
    submit(),
    { do: 'wait', as: 'platform', on: SUBJECT },
  ],
  'CANCELLED by the principal': [...active(), take('alice', 'cancel')],
  'CANCELLED by the principal with a completion': [...active(), submit(), take('alice', 'cancel')],
  'CANCELLED by the performer after a revision': [
    ...active(),
    submit(),
    take('alice', 'revision'),
    take('bob', 'cancel'),
  ],
  REJECTED: [created(), take('bob', 'reject')],
  'FULFILLED, disputed': [...decided('accept'), dispute('alice', 'open')],
  'FULFILLED, disputed in tier 2': [
    ...decided('accept'),
    dispute('alice', 'open'),
    dispute('bob', 'escalate'),
  ],
  'FULFILLED, disputed in tier 3': [
    ...decided('accept'),
    dispute('alice', 'open'),
    dispute('bob', 'escalate'),
    dispute('alice', 'escalate'),
  ],
  'FAILED, disputed': [...decided('reject'), dispute('bob', 'open')],
  'FAILED, disputed by an admin, in tier 2': [
    ...decided('reject'),
    dispute('admin-b', 'open'),
    dispute('alice', 'escalate'),
  ],
  'FULFILLED, disputed by the platform in tier 3': [
    ...decided('accept'),
    dispute('platform', 'open'),
    dispute('bob', 'escalate'),
    dispute('alice', 'escalate'),
  ],
  'FULFILLED, the dispute withdrawn': [
    ...decided('accept'),
    dispute('alice', 'open'),
    dispute('alice', 'withdraw'),
  ],
  'FULFILLED, the dispute withdrawn and another one left': [
    ...decided('accept', 'team'),
    dispute('alice', 'open'),
    dispute('alice', 'withdraw'),
  ],
  'FAILED, the dispute upheld': [
    ...decided('reject'),
    dispute('bob', 'open'),
    dispute('platform', 'resolve', 'UPHELD'),
  ],
  'FAILED by a dispute': [
    ...decided('accept'),
    dispute('alice', 'open'),
    dispute('bob', 'resolve', 'OVERTURNED'),
  ],
};
