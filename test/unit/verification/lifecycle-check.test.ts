import { beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '../../../domain/record/actions.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type { RecordEntryType } from '../../../domain/vault/entry-type.ts';
import {
  type RecordStatePredicate,
  type SettlementSignalPredicate,
} from '../../../domain/record/record-statement.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { DAY } from '../../support/attackers/genuine-steps.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';

/** An entry: its type, what moved from where to where, and what it says besides. */
type Entry = readonly [
  RecordEntryType,
  Action,
  RecordStatus | null,
  RecordStatus,
  Partial<RecordStatePredicate>?,
];
/** A signal: what it recommends on which outcome, its number, and the number of the one it supersedes. */
type Signal = readonly [
  'SIGNAL',
  SettlementSignalPredicate['recommendation'],
  RecordStatus,
  number,
  number?,
];
type Step = Entry | Signal;

const ID = (n: number): string => `0190b000-0000-7000-8000-00000000000${n}`;
const HASH = (n: number): string => String(n).repeat(64);
const DONE = { completionId: ID(1), evidenceHash: HASH(1) };
const open = { dispute: { id: ID(8) } };
const over = open;

const CREATED: Entry = ['RECORD_CREATED', 'create', null, 'ACTIVE'];
const SUBMITTED: Entry = ['COMPLETION_SUBMITTED', 'submit-completion', 'ACTIVE', 'ACTIVE', DONE];
const ACCEPTED: Entry = [
  'VERDICT_RENDERED',
  'render-verdict',
  'ACTIVE',
  'FULFILLED',
  { ...DONE, verdict: 'accept' },
];
const REJECTED: Entry = [
  'VERDICT_RENDERED',
  'render-verdict',
  'ACTIVE',
  'FAILED',
  { ...DONE, verdict: 'reject' },
];
const OVERRIDDEN: Entry = [
  'VERDICT_RENDERED',
  'render-verdict',
  'FAILED',
  'REMEDIATED',
  { ...DONE, verdict: 'accept' },
];
const DISPUTED: Entry = [
  'DISPUTE_OPENED',
  'open-dispute',
  'FULFILLED',
  'FULFILLED',
  { ...DONE, ...open },
];
const EVIDENCE: Entry = [
  'DISPUTE_EVIDENCE_SUBMITTED',
  'submit-dispute-evidence',
  'FULFILLED',
  'FULFILLED',
  { ...DONE, ...open },
];
const UPHELD: Entry = [
  'DISPUTE_RESOLVED',
  'resolve-dispute',
  'FULFILLED',
  'FULFILLED',
  { ...DONE, ...over },
];
const OVERTURNED: Entry = [
  'DISPUTE_RESOLVED',
  'resolve-dispute',
  'FULFILLED',
  'FAILED',
  { ...DONE, ...over },
];
const SETTLE: Signal = ['SIGNAL', 'SETTLE', 'FULFILLED', 1];
const PROPOSED: Entry = ['RECORD_PROPOSED', 'create', null, 'PROPOSED'];
const COUNTERED: Entry = [
  'COUNTER_PROPOSED',
  'counter-propose',
  'PROPOSED',
  'PROPOSED',
  { criteriaHash: HASH(2) },
];
const fulfilled = [CREATED, SUBMITTED, ACCEPTED] as const;
const reference = (status: RecordStatus, extra: Partial<RecordStatePredicate> = {}): Entry => [
  'REFERENCE_ADDED',
  'add-reference',
  status,
  status,
  { ...DONE, reference: { id: ID(6), kind: 'k', uri: 'u', digest: null, label: null }, ...extra },
];

let hub: TestHub;
beforeAll(async () => {
  hub = await TestHub.start();
});

const write = async (steps: readonly Step[]): Promise<TestChain> => {
  const chain = hub.chain();
  for (const step of steps) {
    if (step[0] !== 'SIGNAL') {
      const [entryType, action, from, to, members] = step;
      await hub.append(chain, entryType, { action, from, to }, members);
      continue;
    }
    const [, recommendation, outcome, signalId, supersedes] = step;
    // What is released by itself is released when nobody can object any more.
    const before = chain.statements.at(-1)!.predicate;
    const isByItself =
      recommendation === 'RELEASE' && before['dispute'] === undefined && outcome !== 'FULFILLED';
    await hub.signal(
      chain,
      recommendation,
      { signalId: ID(signalId), outcome, supersedes: supersedes ? ID(supersedes) : undefined },
      isByItself ? hub.pass(7 * DAY) : undefined,
    );
  }
  return chain;
};

/** What is wrong with the entries themselves: position and detail. That the record beside them agrees is not asked here. */
const complaints = async (
  steps: readonly Step[],
): Promise<readonly (readonly [number | null, string])[]> => {
  const report = await verifyAuditExport(
    JSON.stringify(await hub.export(await write(steps), { evidence: false })),
    { trust: trustOf({ kind: 'keys', spki: [hub.spki] }) },
  );
  return (
    report.failures
      // Most steps here leave the signals out; that those are owed is asked elsewhere.
      .filter(({ detail }) => !detail.startsWith('record.') && !detail.startsWith('no signal'))
      .map(({ position, detail }) => [position, detail])
  );
};

describe('a chain under the right key, in an order that the service writes', () => {
  it.each<[string, readonly Step[]]>([
    ['delivered and accepted', [...fulfilled, SETTLE]],
    ['without signals, as before there were any', fulfilled],
    [
      'rejected, held, released',
      [
        CREATED,
        SUBMITTED,
        REJECTED,
        ['SIGNAL', 'HOLD', 'FAILED', 1],
        reference('FAILED'),
        ['SIGNAL', 'RELEASE', 'FAILED', 2, 1],
      ],
    ],
    [
      'rejected, held, released and overridden',
      [
        CREATED,
        SUBMITTED,
        REJECTED,
        ['SIGNAL', 'HOLD', 'FAILED', 1],
        ['SIGNAL', 'RELEASE', 'FAILED', 2, 1],
        OVERRIDDEN,
        ['SIGNAL', 'SETTLE', 'REMEDIATED', 3, 2],
      ],
    ],
    [
      'disputed and overturned',
      [
        ...fulfilled,
        SETTLE,
        DISPUTED,
        ['SIGNAL', 'HOLD', 'FULFILLED', 2, 1],
        EVIDENCE,
        reference('FULFILLED', open),
        OVERTURNED,
        ['SIGNAL', 'RELEASE', 'FAILED', 3, 2],
      ],
    ],
    [
      'a counter-proposal accepted',
      [
        PROPOSED,
        COUNTERED,
        ['COUNTER_ACCEPTED', 'accept-counter', 'PROPOSED', 'ACTIVE', { criteriaHash: HASH(2) }],
      ],
    ],
  ])('%s', async (_what, steps) => {
    expect(await complaints(steps)).toEqual([]);
  });
});

describe('a chain under the right key, in an order that the service never writes', () => {
  it.each<[string, number, readonly Step[]]>([
    [
      'a verdict on nothing',
      2,
      [CREATED, ['VERDICT_RENDERED', 'render-verdict', 'ACTIVE', 'FULFILLED']],
    ],
    [
      'a second completion while one waits',
      3,
      [
        CREATED,
        SUBMITTED,
        [
          'COMPLETION_SUBMITTED',
          'submit-completion',
          'ACTIVE',
          'ACTIVE',
          { completionId: ID(2), evidenceHash: HASH(2) },
        ],
      ],
    ],
    [
      'a delegation while a completion waits',
      3,
      [CREATED, SUBMITTED, ['CHILD_DELEGATED', 'delegate', 'ACTIVE', 'ACTIVE', DONE]],
    ],
    [
      'the same completion submitted again',
      4,
      [
        CREATED,
        SUBMITTED,
        ['REVISION_REQUESTED', 'revision', 'ACTIVE', 'REVISION_REQUESTED', DONE],
        ['COMPLETION_SUBMITTED', 'submit-completion', 'REVISION_REQUESTED', 'ACTIVE', DONE],
      ],
    ],
    [
      'a verdict on another completion',
      3,
      [
        CREATED,
        SUBMITTED,
        [
          'VERDICT_RENDERED',
          'render-verdict',
          'ACTIVE',
          'FULFILLED',
          { completionId: ID(2), evidenceHash: HASH(1) },
        ],
      ],
    ],
    [
      'a verdict on other evidence',
      3,
      [
        CREATED,
        SUBMITTED,
        [
          'VERDICT_RENDERED',
          'render-verdict',
          'ACTIVE',
          'FULFILLED',
          { completionId: ID(1), evidenceHash: HASH(2) },
        ],
      ],
    ],
    [
      'an outcome sealed as a reference',
      3,
      [CREATED, SUBMITTED, ['REFERENCE_ADDED', 'render-verdict', 'ACTIVE', 'FULFILLED', DONE]],
    ],
    [
      'a delegation under a record that ended',
      4,
      [...fulfilled, ['CHILD_DELEGATED', 'delegate', 'FULFILLED', 'FULFILLED', DONE]],
    ],
    [
      'a cascade verified on a record that ended',
      4,
      [...fulfilled, ['CASCADE_VERIFIED', 'verify-cascade', 'FULFILLED', 'FULFILLED', DONE]],
    ],
    [
      'a dispute on a record that is at work',
      2,
      [CREATED, ['DISPUTE_OPENED', 'open-dispute', 'ACTIVE', 'ACTIVE', open]],
    ],
    ['a dispute opened twice', 5, [...fulfilled, DISPUTED, DISPUTED]],
    ['evidence in no dispute', 4, [...fulfilled, EVIDENCE]],
    ['a dispute that nobody opened resolved', 4, [...fulfilled, OVERTURNED]],
    ['a dispute resolved twice', 6, [...fulfilled, DISPUTED, UPHELD, OVERTURNED]],
    [
      'a resolution that leaves the dispute open',
      5,
      [
        ...fulfilled,
        DISPUTED,
        [
          'DISPUTE_RESOLVED',
          'resolve-dispute',
          'FULFILLED',
          'FULFILLED',
          { ...DONE, dispute: { id: ID(8), phase: 'EVIDENCE_WINDOW' } },
        ],
      ],
    ],
    [
      'an override while a dispute is open',
      5,
      [
        CREATED,
        SUBMITTED,
        REJECTED,
        ['DISPUTE_OPENED', 'open-dispute', 'FAILED', 'FAILED', { ...DONE, ...open }],
        ['VERDICT_RENDERED', 'render-verdict', 'FAILED', 'REMEDIATED', { ...DONE, ...open }],
      ],
    ],
    [
      'a dispute that vanishes',
      5,
      [...fulfilled, DISPUTED, reference('FULFILLED', { dispute: undefined })],
    ],
    [
      'a proposal accepted over a counter-proposal',
      3,
      [
        PROPOSED,
        COUNTERED,
        ['PROPOSAL_ACCEPTED', 'accept', 'PROPOSED', 'ACTIVE', { criteriaHash: HASH(2) }],
      ],
    ],
    [
      'other criteria accepted than were on the table',
      3,
      [
        PROPOSED,
        COUNTERED,
        ['COUNTER_ACCEPTED', 'accept-counter', 'PROPOSED', 'ACTIVE', { criteriaHash: HASH(3) }],
      ],
    ],
    [
      'criteria changed at work',
      2,
      [
        CREATED,
        [
          'COMPLETION_SUBMITTED',
          'submit-completion',
          'ACTIVE',
          'ACTIVE',
          { ...DONE, criteriaHash: HASH(3) },
        ],
      ],
    ],
    [
      'the performer exchanged at work',
      2,
      [
        CREATED,
        [
          'COMPLETION_SUBMITTED',
          'submit-completion',
          'ACTIVE',
          'ACTIVE',
          { ...DONE, performerAgentId: ID(7) },
        ],
      ],
    ],
    [
      'the principal exchanged',
      2,
      [CREATED, ['RECORD_CANCELLED', 'cancel', 'ACTIVE', 'CANCELLED', { principalAgentId: ID(7) }]],
    ],
    [
      'the record type exchanged',
      2,
      [
        CREATED,
        [
          'RECORD_CANCELLED',
          'cancel',
          'ACTIVE',
          'CANCELLED',
          {
            schema: {
              orgId: ID(7),
              publisher: 'p',
              type: 't',
              version: 1,
              manifestDigest: HASH(1),
            },
          },
        ],
      ],
    ],
    [
      'a failed record settled',
      4,
      [CREATED, SUBMITTED, REJECTED, ['SIGNAL', 'SETTLE', 'FAILED', 1]],
    ],
    ['a fulfilled record released', 4, [...fulfilled, ['SIGNAL', 'RELEASE', 'FULFILLED', 1]]],
    ['a record at work released', 2, [CREATED, ['SIGNAL', 'RELEASE', 'ACTIVE', 1]]],
    [
      'a settlement while a dispute is open',
      5,
      [...fulfilled, DISPUTED, ['SIGNAL', 'SETTLE', 'FULFILLED', 1]],
    ],
    [
      'two signals for one outcome',
      5,
      [...fulfilled, SETTLE, ['SIGNAL', 'SETTLE', 'FULFILLED', 2, 1]],
    ],
    [
      'a release after a release',
      6,
      [
        CREATED,
        SUBMITTED,
        REJECTED,
        ['SIGNAL', 'HOLD', 'FAILED', 1],
        ['SIGNAL', 'RELEASE', 'FAILED', 2, 1],
        ['SIGNAL', 'RELEASE', 'FAILED', 3, 2],
      ],
    ],
    [
      'a signal that forgets the one before it',
      6,
      [...fulfilled, SETTLE, DISPUTED, ['SIGNAL', 'HOLD', 'FULFILLED', 2]],
    ],
  ])('%s', async (_what, position, steps) => {
    const found = await complaints(steps);
    expect(found[0]?.[0], JSON.stringify(found)).toBe(position);
  });
});
