import { describe, expect, it } from 'vitest';
import { ACTIONS, type Action } from '../../../domain/record/actions.ts';
import {
  ADD_REFERENCE,
  CHILDREN_ENDED,
  DISPUTE_STEPS,
  LIFECYCLE,
  type Transition,
} from '../../../domain/record/lifecycle.ts';
import {
  isStep,
  transitionsFrom,
  transitionsOf,
} from '../../../domain/record/lifecycle-queries.ts';
import { STATUSES, TERMINAL, type RecordStatus } from '../../../domain/record/record-status.ts';
import { RECORD_ENTRY_TYPES } from '../../../domain/vault/entry-type.ts';

const rows: readonly Transition[] = LIFECYCLE;
const CONDITIONS = [true, false].flatMap((pending) =>
  [true, false].map((counter) => ({ pending, counter })),
);
const moves = (row: Transition): readonly RecordStatus[] =>
  row.to.filter((to): to is RecordStatus => to !== 'unchanged');

/** The wire names of records.md 3, and creation and expiry. */
const WIRE_ACTIONS = [
  'create',
  'expire',
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
  'cancel',
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'resolve-dispute',
  'withdraw-dispute',
  'add-reference',
  'view',
  'export-audit',
];

/** The events of records that interface.md 6.1 names; of rejected proposals records.md 3. */
const WIRE_EVENTS = [
  'record.created',
  'record.recorded',
  'record.completion_submitted',
  'record.fulfilled',
  'record.failed',
  'record.expired',
  'record.cancelled',
  'record.proposed',
  'record.proposal_accepted',
  'record.proposal_rejected',
  'record.delegated',
  'record.revision_requested',
  'cascading.verification.complete',
  'dispute.opened',
  'dispute.resolved',
  'dispute.withdrawn',
];

const GUARD_IDS = [
  'record_disputed',
  'has_children_leaf_only',
  'leaf_record',
  'no_children',
  'children_not_terminal',
  'mode_not_auto',
  'mode_not_principal',
];

/** The table of records.md 3: action, from, to, entry, event. */
const SPECIFIED: readonly (readonly [
  Action,
  readonly RecordStatus[],
  readonly (RecordStatus | 'unchanged')[],
  string,
  string,
])[] = [
  ['create', [], ['RECORDED'], 'RECORD_RECORDED', 'record.recorded'],
  ['create', [], ['CREATED'], 'RECORD_CREATED', 'record.created'],
  ['create', [], ['PROPOSED'], 'RECORD_PROPOSED', 'record.proposed'],
  ['create', [], ['ACTIVE'], 'RECORD_CREATED', 'record.created'],
  ['propose', ['CREATED'], ['PROPOSED'], 'RECORD_PROPOSED', 'record.proposed'],
  ['activate', ['CREATED'], ['ACTIVE'], 'RECORD_ACTIVATED', 'record.created'],
  ['accept', ['PROPOSED'], ['ACTIVE'], 'PROPOSAL_ACCEPTED', 'record.proposal_accepted'],
  ['accept-counter', ['PROPOSED'], ['ACTIVE'], 'COUNTER_ACCEPTED', 'record.proposal_accepted'],
  ['reject', ['PROPOSED'], ['REJECTED'], 'PROPOSAL_REJECTED', 'record.proposal_rejected'],
  ['counter-propose', ['PROPOSED'], ['PROPOSED'], 'COUNTER_PROPOSED', 'record.proposed'],
  [
    'submit-completion',
    ['ACTIVE', 'REVISION_REQUESTED'],
    ['ACTIVE'],
    'COMPLETION_SUBMITTED',
    'record.completion_submitted',
  ],
  ['render-verdict', ['ACTIVE'], ['FULFILLED'], 'VERDICT_RENDERED', 'record.fulfilled'],
  ['render-verdict', ['ACTIVE'], ['FAILED'], 'VERDICT_RENDERED', 'record.failed'],
  ['render-verdict', ['FAILED'], ['REMEDIATED'], 'VERDICT_RENDERED', 'record.fulfilled'],
  [
    'revision',
    ['ACTIVE'],
    ['REVISION_REQUESTED'],
    'REVISION_REQUESTED',
    'record.revision_requested',
  ],
  ['evaluate', ['ACTIVE'], ['FULFILLED'], 'GATE_EVALUATED', 'record.fulfilled'],
  ['evaluate', ['ACTIVE'], ['FAILED'], 'GATE_EVALUATED', 'record.failed'],
  [
    'verify-cascade',
    ['ACTIVE'],
    ['unchanged'],
    'CASCADE_VERIFIED',
    'cascading.verification.complete',
  ],
  [
    'delegate',
    ['ACTIVE', 'REVISION_REQUESTED'],
    ['unchanged'],
    'CHILD_DELEGATED',
    'record.delegated',
  ],
  [
    'cancel',
    ['CREATED', 'PROPOSED', 'ACTIVE', 'REVISION_REQUESTED'],
    ['CANCELLED'],
    'RECORD_CANCELLED',
    'record.cancelled',
  ],
  [
    'expire',
    ['CREATED', 'PROPOSED', 'ACTIVE', 'REVISION_REQUESTED'],
    ['EXPIRED'],
    'RECORD_EXPIRED',
    'record.expired',
  ],
  ['resolve-dispute', ['FULFILLED'], ['FAILED'], 'DISPUTE_RESOLVED', 'dispute.resolved'],
  [
    'resolve-dispute',
    ['FAILED', 'EXPIRED', 'CANCELLED'],
    ['REMEDIATED'],
    'DISPUTE_RESOLVED',
    'dispute.resolved',
  ],
];

/** One line for each step, however many rows say it. */
const steps = (
  table: readonly (readonly [
    Action,
    readonly RecordStatus[],
    readonly (RecordStatus | 'unchanged')[],
    string,
    string | null,
  ])[],
): string[] =>
  [
    ...new Set(
      table.flatMap(([action, from, to, entry, event]) =>
        (from.length ? from : ['none']).flatMap((start) =>
          to.map((end) => `${action}: ${start} > ${end} ${entry} ${event}`),
        ),
      ),
    ),
  ].sort();

describe('the lifecycle table', () => {
  it('has the steps that the specification lists, and no other', () => {
    expect(steps(rows.map((row) => [row.action, row.from, row.to, row.entry, row.event]))).toEqual(
      steps(SPECIFIED),
    );
  });

  it('has eleven states, of which seven end a record', () => {
    expect([...STATUSES].sort()).toEqual([
      'ACTIVE',
      'CANCELLED',
      'CREATED',
      'EXPIRED',
      'FAILED',
      'FULFILLED',
      'PROPOSED',
      'RECORDED',
      'REJECTED',
      'REMEDIATED',
      'REVISION_REQUESTED',
    ]);
    expect([...TERMINAL].sort()).toEqual([
      'CANCELLED',
      'EXPIRED',
      'FAILED',
      'FULFILLED',
      'RECORDED',
      'REJECTED',
      'REMEDIATED',
    ]);
  });

  it('every state is reached from nothing', () => {
    const reached = new Set<RecordStatus>(
      rows.filter((row) => row.from.length === 0).flatMap(moves),
    );
    for (let size = -1; size !== reached.size;) {
      size = reached.size;
      for (const row of rows)
        if (row.from.some((from) => reached.has(from)))
          for (const to of moves(row)) reached.add(to);
    }
    expect([...reached].sort()).toEqual([...STATUSES].sort());
  });

  it.each(STATUSES.filter((status) => !TERMINAL.has(status)))(
    '%s is no trap: a party can leave it, and so can the system, in every state of affairs',
    (status) => {
      for (const condition of CONDITIONS) {
        const leaving = transitionsFrom(status, condition).filter((row) =>
          moves(row).some((to) => to !== status),
        );
        expect(
          leaving.some((row) =>
            row.actors.some((actor) => actor !== 'system' && actor !== 'resolver'),
          ),
        ).toBe(true);
        expect(leaving.some((row) => row.actors.includes('system'))).toBe(true);
      }
    },
  );

  it('every open state ends in some terminal one', () => {
    for (const status of STATUSES) {
      const reached = new Set<RecordStatus>([status]);
      for (const from of reached)
        for (const row of rows)
          if (row.from.includes(from)) for (const to of moves(row)) reached.add(to);
      expect([...reached].some((to) => TERMINAL.has(to))).toBe(true);
    }
  });

  it('a terminal state is left by a dispute or an override alone', () => {
    for (const row of rows.filter((one) => one.from.some((from) => TERMINAL.has(from)))) {
      expect(
        row.action === 'resolve-dispute' ||
          (row.action === 'render-verdict' && row.from.includes('FAILED')),
      ).toBe(true);
      for (const to of row.to) expect(TERMINAL.has(to as RecordStatus)).toBe(true);
    }
    for (const final of ['RECORDED', 'REMEDIATED', 'REJECTED'] as const)
      expect(rows.filter((row) => row.from.includes(final))).toEqual([]);
  });

  it.each(
    rows.map((row) => [`${row.action} from ${row.from.join(', ') || 'nothing'}`, row] as const),
  )('%s: its entry, event, actors and guards are known', (_name, row) => {
    expect(ACTIONS).toContain(row.action);
    expect(RECORD_ENTRY_TYPES).toContain(row.entry);
    expect(WIRE_EVENTS).toContain(row.event);
    expect(row.actors.length).toBeGreaterThan(0);
    expect(new Set(row.guards).size).toBe(row.guards.length);
    for (const guard of row.guards) if (guard.includes('_')) expect(GUARD_IDS).toContain(guard);
    for (const status of [...row.from, ...moves(row)]) expect(STATUSES).toContain(status);
    expect(row.description).not.toBe('');
  });

  it('actions have their wire names', () => {
    expect([...ACTIONS].sort()).toEqual([...WIRE_ACTIONS].sort());
  });

  it('no two rows answer one action in one state of affairs with the same end', () => {
    for (const status of STATUSES) {
      for (const condition of CONDITIONS) {
        for (const action of ACTIONS) {
          const ends = transitionsOf(action, status, condition).flatMap((row) => row.to);
          expect(new Set(ends).size).toBe(ends.length);
        }
      }
    }
  });

  it('guards stand in the order in which they refuse', () => {
    const guards = (action: Action, to: string): readonly string[] =>
      rows.find((row) => row.action === action && (row.to as readonly string[]).includes(to))!
        .guards;
    expect(guards('render-verdict', 'FULFILLED')).toEqual([
      'mode_not_principal',
      'children_not_terminal',
    ]);
    expect(guards('evaluate', 'FULFILLED')).toEqual(['mode_not_auto', 'has_children_leaf_only']);
    expect(guards('verify-cascade', 'unchanged')).toEqual([
      'leaf_record',
      'no_children',
      'children_not_terminal',
    ]);
    expect(guards('submit-completion', 'ACTIVE')).toEqual(['children_not_terminal']);
    expect(guards('cancel', 'CANCELLED')).toEqual(['children_not_terminal']);
  });

  it('who may cancel: the principal; the performer where nothing is pending; of a proposal the side not awaited', () => {
    const may = (status: RecordStatus, pending: boolean): string[] =>
      transitionsOf('cancel', status, { pending, counter: false })
        .flatMap((row) => [...row.actors])
        .sort();
    expect(may('CREATED', false)).toEqual(['principal']);
    expect(may('PROPOSED', false)).toEqual(['other']);
    expect(may('ACTIVE', false)).toEqual(['performer', 'principal']);
    expect(may('ACTIVE', true)).toEqual(['principal']);
    expect(may('REVISION_REQUESTED', false)).toEqual(['performer', 'principal']);
  });
});

describe('isStep, which a verifier asks', () => {
  const every: readonly Transition[] = [
    ...rows,
    ADD_REFERENCE,
    CHILDREN_ENDED,
    ...Object.values(DISPUTE_STEPS),
  ];
  const entries = [...new Set(every.map((row) => row.entry))];

  it('knows exactly the steps of the table and of what stands beside it, each by its own entry', () => {
    const listed = new Set(
      every.flatMap((row) =>
        (row.from.length ? row.from : [null]).flatMap((from) =>
          row.to
            .map((to) => (to === 'unchanged' ? from : to))
            .map((to) => `${row.action} ${from} ${to} ${row.entry}`),
        ),
      ),
    );
    const known = new Set<string>();
    for (const action of ACTIONS)
      for (const from of [null, ...STATUSES])
        for (const to of STATUSES)
          for (const entry of entries)
            if (isStep({ action, from, to, entry })) known.add(`${action} ${from} ${to} ${entry}`);
    expect([...known].sort()).toEqual([...listed].sort());
  });

  it('asks what else must hold, as far as that is known', () => {
    const step = {
      action: 'render-verdict',
      from: 'ACTIVE',
      to: 'FULFILLED',
      entry: 'VERDICT_RENDERED',
    };
    expect(
      [{}, { pending: true }, { pending: false }].map((condition) => isStep(step, condition)),
    ).toEqual([true, true, false]);
    expect(
      isStep(
        { action: 'accept', from: 'PROPOSED', to: 'ACTIVE', entry: 'PROPOSAL_ACCEPTED' },
        { pending: false, counter: true },
      ),
    ).toBe(false);
  });

  it('knows no action, no state and no entry of another name', () => {
    for (const [action, from, to, entry] of [
      ['toString', 'ACTIVE', 'ACTIVE', 'CASCADE_VERIFIED'],
      ['cancel', 'active', 'CANCELLED', 'RECORD_CANCELLED'],
      ['', null, 'RECORDED', 'RECORD_RECORDED'],
      ['create', null, 'FULFILLED', 'RECORD_CREATED'],
      ['cancel', 'ACTIVE', 'CANCELLED', 'toString'],
    ] as const)
      expect(isStep({ action, from, to, entry })).toBe(false);
  });
});
