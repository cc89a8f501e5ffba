import { beforeEach, describe, expect, it } from 'vitest';
import { TestHub } from '../../support/attackers/make-export.ts';
import { DAY, gatesOf } from '../../support/attackers/genuine-steps.ts';
import {
  accepted,
  argued,
  cancelled,
  childId,
  counterAccepted,
  countered,
  created,
  delegated,
  disputed,
  drafted,
  escalated,
  expired,
  failed,
  fulfilled,
  hold,
  notPassed,
  overridden,
  overturned,
  pass,
  passed,
  proposed,
  referenced,
  release,
  released,
  revised,
  settle,
  signStory,
  step,
  submitted,
  upheld,
  verified,
  verifyUnder,
  withdrawn,
  type Lie,
  type Step,
  type Story,
} from '../../support/attackers/lying-operator.ts';

const AUTO = {
  gateMode: 'auto',
  gates: [
    { id: 'total', expression: 'true', severity: 'block' },
    { id: 'hint', expression: 'true', severity: 'warn' },
  ],
} as const;
const TREE = { cascade: { rule: 'all-fulfilled' } } as const;
const OTHER = '0190e000-0000-7000-8000-00000000000e';
const SOON = new Date(Date.parse('2026-11-20T10:00:00.000Z') + 30 * DAY).toISOString();

const delivered = [created, submitted()] as const;
const inDispute = [...delivered, fulfilled, settle, disputed('FULFILLED'), hold] as const;

/** What services write that keep the contract. */
const STORIES = {
  accepted: { steps: [proposed, accepted, submitted(), fulfilled, settle] },
  countered: { steps: [proposed, countered, counterAccepted, submitted(), fulfilled, settle] },
  counterOpen: { steps: [proposed, countered] },
  rejectedProposal: {
    steps: [proposed, step('PROPOSAL_REJECTED', 'reject', 'PROPOSED', 'REJECTED')],
  },
  draft: { steps: [drafted] },
  revised: {
    record: { expiresAt: SOON },
    steps: [...delivered, revised, submitted('REVISION_REQUESTED'), fulfilled, settle],
  },
  failed: { steps: [...delivered, failed, hold, released] },
  overridden: { steps: [...delivered, failed, hold, overridden, settle] },
  cancelled: { steps: [created, cancelled, release] },
  cancelledLate: { steps: [...delivered, cancelled, hold] },
  expired: {
    record: { expiresAt: SOON },
    steps: [created, pass(31 * DAY), expired(), release],
  },
  auto: { type: AUTO, steps: [...delivered, passed, settle] },
  autoFailed: { type: AUTO, steps: [...delivered, notPassed, hold] },
  tree: {
    type: TREE,
    steps: [
      created,
      delegated(1),
      delegated(2, 'PROPOSED'),
      verified('FULFILLED', 'REMEDIATED'),
      submitted(),
      fulfilled,
      settle,
    ],
  },
  autoTree: {
    type: { ...AUTO, ...TREE },
    steps: [created, delegated(1), verified('FULFILLED'), submitted(), passed, settle],
  },
  dispute: { steps: [...inDispute, argued('FULFILLED')] },
  escalated: { steps: [...inDispute, escalated('FULFILLED'), escalated('FULFILLED')] },
  upheld: { steps: [...inDispute, upheld('FULFILLED'), settle] },
  overturned: { steps: [...inDispute, overturned('FULFILLED', 'FAILED'), release] },
  withdrawn: { steps: [...inDispute, withdrawn('FULFILLED'), settle] },
  referenced: { steps: [created, referenced('ACTIVE'), referenced('ACTIVE')] },
} as const satisfies Record<string, Story>;

type Named = keyof typeof STORIES;

let hub: TestHub;
beforeEach(async () => {
  hub = await TestHub.start();
});

describe('a chain that a service writes that keeps the contract', () => {
  it.each(Object.keys(STORIES) as Named[])('is valid: %s', async (name) => {
    const report = await verifyUnder(hub, await hub.export(await signStory(hub, STORIES[name])));
    expect(report.failures).toEqual([]);
    expect(report.verdict).toBe('valid');
  });
});

/** The rule that is broken, the story, the entry at which the operator lies, the lie, and what is said of it. */
type Line = readonly [string, Named, number, Lie | object, RegExp];

const stranger = (): object => ({
  actor: { kind: 'agent', orgId: OTHER, agentId: OTHER, apiKeyId: OTHER },
});
const by =
  (side: Parameters<TestHub['actor']>[0]): Lie =>
  (_, on) => ({ actor: on.actor(side) });
const dispute =
  (change: object): Lie =>
  ({ dispute: sealed }) => ({ dispute: { ...sealed, ...change } });
const gate =
  (change: object): Lie =>
  ({ gate: sealed }) => ({ gate: { ...sealed, ...change } });
const results =
  (change: (results: readonly object[]) => readonly object[]): Lie =>
  ({ gate: sealed }) => ({
    gate: { ...sealed, results: change((sealed as ReturnType<typeof gatesOf>).results) },
  });
const to =
  (status: string): Lie =>
  ({ transition }) => ({ transition: { ...transition, to: status } });
const dated =
  (ms: number): Lie =>
  ({ at }) => ({ at: new Date(Date.parse(at) + ms).toISOString() });

const LINES: readonly Line[] = [
  // Published schemas
  ['an unknown member', 'accepted', 1, { remark: 'x' }, /unknown member "remark"/],
  ['a member left out', 'accepted', 1, { performerOrgId: undefined }, /lacks performerOrgId/],
  ['a member of another form', 'accepted', 2, { awaiting: 'anyone' }, /\/awaiting/],
  [
    'an unknown member of the actor',
    'accepted',
    2,
    ({ actor }) => ({ actor: { ...actor, name: 'x' } }),
    /\/actor/,
  ],
  ['no terms at the creation', 'accepted', 1, { terms: undefined }, /lacks terms/],
  [
    'terms after the creation',
    'accepted',
    2,
    (_, __, { statements }) => ({ terms: statements[0]!.predicate['terms'] }),
    /\/terms/,
  ],
  ['a signal with an unknown member', 'accepted', 5, { amount: 1 }, /unknown member "amount"/],
  // Members of their entries
  [
    'a verdict without its word',
    'accepted',
    4,
    { verdict: undefined },
    /VERDICT_RENDERED has verdict/,
  ],
  [
    'a reason where nobody gave one',
    'accepted',
    2,
    { reason: 'x' },
    /PROPOSAL_ACCEPTED has no reason/,
  ],
  [
    'recipients in cleartext',
    'accepted',
    1,
    { encryption: { recipients: ['A'.repeat(43)] } },
    /no recipients/,
  ],
  [
    'a subject that nobody proved',
    'accepted',
    1,
    {
      onBehalfOf: {
        subject: { iss: 'i', sub: 's' },
        validated: true,
        provenance: 'asserted',
        act: [],
      },
    },
    /token exchange/,
  ],
  [
    'a proof that is called an assertion',
    'accepted',
    1,
    {
      onBehalfOf: {
        subject: { iss: 'i', sub: 's' },
        validated: false,
        provenance: 'token_exchange',
        act: [],
      },
    },
    /token exchange/,
  ],
  // Sides
  ['created by a stranger', 'accepted', 1, stranger, /not for/],
  ['accepted by a stranger', 'accepted', 2, stranger, /accept is not for/],
  [
    'accepted by the side that proposed',
    'accepted',
    2,
    by('principal'),
    /accept is not for the principal/,
  ],
  ['delivered by the principal', 'accepted', 3, by('principal'), /submit-completion is not for/],
  [
    'a verdict by the performer',
    'accepted',
    4,
    by('performer'),
    /render-verdict is not for the performer/,
  ],
  ['a verdict by a stranger', 'accepted', 4, stranger, /render-verdict is not for/],
  [
    'a verdict by the service',
    'accepted',
    4,
    by('system'),
    /render-verdict is not for the service/,
  ],
  [
    'a verdict by an admin of another org',
    'accepted',
    4,
    { actor: { kind: 'admin', orgId: OTHER, apiKeyId: OTHER } },
    /render-verdict is not for/,
  ],
  ['a verdict by a peer', 'accepted', 4, { actor: { kind: 'peer', peerHubId: OTHER } }, /no peer/],
  [
    'a verdict by the principal under another org',
    'accepted',
    4,
    ({ actor }) => ({ actor: { ...actor, orgId: OTHER } }),
    /another org than its side/,
  ],
  [
    'an agent without its org',
    'accepted',
    4,
    ({ actor }) => ({ actor: { ...actor, orgId: undefined } }),
    /with its id and its org/,
  ],
  [
    'the service with a credential',
    'accepted',
    5,
    { actor: { kind: 'system', apiKeyId: OTHER } },
    /service itself/,
  ],
  ['an expiry by an agent', 'expired', 2, by('principal'), /expire is not for/],
  ['a draft cancelled by nobody', 'cancelled', 2, stranger, /cancel is not for/],
  [
    'called off by the performer, sealed as by the principal',
    'cancelled',
    2,
    by('performer'),
    /other side/,
  ],
  ['a reference by a stranger', 'referenced', 2, stranger, /add-reference is not for/],
  ['children verified by a stranger', 'tree', 4, stranger, /verify-cascade is not for/],
  ['delegated by the principal', 'tree', 2, by('principal'), /delegate is not for/],
  ['gates asked by the performer', 'auto', 3, by('performer'), /evaluate is not for/],
  [
    'gates asked alone on a record with children',
    'autoTree',
    5,
    by('principal'),
    /together with them/,
  ],
  ['a revision asked by the performer', 'revised', 3, by('performer'), /revision is not for/],
  // Beginnings
  ['awaits the wrong side', 'accepted', 1, { awaiting: 'principal' }, /awaits performer/],
  [
    'started at once with a performer of another org',
    'cancelled',
    1,
    { performerOrgId: OTHER },
    /accept first/,
  ],
  ['a performer without an org', 'accepted', 1, { performerOrgId: null }, /sealed with its org/],
  [
    'a root with a depth',
    'accepted',
    1,
    ({ terms }) => ({ terms: { ...terms, depth: 3 } }),
    /contradict each other/,
  ],
  [
    'a root under another root',
    'accepted',
    1,
    ({ terms }) => ({ terms: { ...terms, rootRecordId: OTHER } }),
    /contradict each other/,
  ],
  [
    'a gate mode against the manifest',
    'accepted',
    1,
    ({ terms }) => ({ terms: { ...terms, gateMode: 'auto' } }),
    /gate mode/,
  ],
  [
    'an operating mode against the manifest',
    'accepted',
    1,
    ({ terms }) => ({ terms: { ...terms, operatingMode: 'encrypted' } }),
    /operating mode/,
  ],
  // Verdicts and gates
  [
    'a rejecting verdict that fulfils',
    'accepted',
    4,
    { verdict: 'reject' },
    /reject does not lead to FULFILLED/,
  ],
  [
    'an accepting verdict that fails',
    'failed',
    3,
    { verdict: 'accept' },
    /accept does not lead to FAILED/,
  ],
  [
    'an override that rejects',
    'overridden',
    5,
    { verdict: 'reject' },
    /reject does not lead to REMEDIATED/,
  ],
  [
    'a blocking gate fails and the record is fulfilled',
    'auto',
    3,
    ({ at }, _, { manifest, statements }) => ({
      gate: gatesOf(manifest, 'auto', String(statements[1]!.predicate['at'] ?? at), 'fail'),
    }),
    /FAILED do not lead to FULFILLED/,
  ],
  [
    'a blocking gate fails and the state says passed',
    'auto',
    3,
    results(([first, ...rest]) => [{ ...first, outcome: 'fail', detail: 'no' }, ...rest]),
    /make FAILED, sealed is PASSED/,
  ],
  [
    'a blocking gate sealed as a warning',
    'auto',
    3,
    results(([first, ...rest]) => [
      { ...first, severity: 'warn', outcome: 'fail', detail: 'no' },
      ...rest,
    ]),
    /gates of the manifest/,
  ],
  ['a gate left out', 'auto', 3, results((all) => all.slice(1)), /gates of the manifest/],
  [
    'a gate that the manifest does not have',
    'auto',
    3,
    results(([first, ...rest]) => [{ ...first, gateId: 'other' }, ...rest]),
    /gates of the manifest/,
  ],
  [
    'all gates pass and the record fails',
    'autoFailed',
    3,
    ({ gate: sealed }, _, { manifest }) => ({
      gate: gatesOf(manifest, 'auto', (sealed as { now: string }).now),
    }),
    /PASSED do not lead to FAILED/,
  ],
  [
    'gates judged at another time',
    'auto',
    3,
    gate({ now: '2026-11-19T10:00:00.000Z' }),
    /as of the submission/,
  ],
  [
    'gates judged on other inputs than one of them',
    'auto',
    3,
    results(([first, ...rest]) => [{ ...first, inputsDigest: 'd'.repeat(64) }, ...rest]),
    /different inputs/,
  ],
  [
    'a verdict where the gates decide',
    'auto',
    3,
    {
      entryType: 'VERDICT_RENDERED',
      gate: undefined,
      verdict: 'accept',
      transition: { action: 'render-verdict', from: 'ACTIVE', to: 'FULFILLED' },
    },
    /gates decide on this record/,
  ],
  [
    'gates that decide where the principal does',
    'accepted',
    4,
    ({ at }, _, { manifest }) => ({
      entryType: 'GATE_EVALUATED',
      verdict: undefined,
      gate: gatesOf(manifest, 'auto', at),
      transition: { action: 'evaluate', from: 'ACTIVE', to: 'FULFILLED' },
    }),
    /principal decides/,
  ],
  ['advice that is no advice', 'accepted', 3, gate({ state: 'PASSED' }), /ADVISORY_PASSED/],
  ['a submission without advice', 'accepted', 3, { gate: undefined }, /sealed with their results/],
  [
    'an unmet cascade among results of met children',
    'autoTree',
    5,
    ({ gate: sealed }) => {
      const known = sealed as ReturnType<typeof gatesOf>;
      return {
        transition: { action: 'evaluate', from: 'ACTIVE', to: 'FAILED' },
        gate: {
          ...known,
          state: 'FAILED',
          results: [
            ...known.results,
            {
              gateId: 'cascade',
              severity: 'block',
              outcome: 'fail',
              detail: 'x',
              inputsDigest: known.inputsDigest,
            },
          ],
        },
      };
    },
    /cascade rule is met/,
  ],
  // Deadlines
  ['an expiry before its time', 'expired', 2, dated(-20 * DAY), /before its time/],
  [
    'work delivered after the record expired',
    'expired',
    2,
    (_, on) => ({
      entryType: 'RECORD_CANCELLED',
      cancelledBy: 'principal',
      actor: on.actor('principal'),
      transition: { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' },
    }),
    /had expired/,
  ],
  ['a deadline that moves by itself', 'accepted', 2, { expiresAt: SOON }, /expires never/],
  ['a verdict window cut short', 'accepted', 3, ({ at }) => ({ expiresAt: at }), /expires/],
  ['a revision that shortens the time', 'revised', 3, ({ at }) => ({ expiresAt: at }), /expires/],
  [
    'an outcome that still awaits somebody',
    'accepted',
    4,
    { awaiting: 'performer' },
    /awaits nobody/,
  ],
  [
    'a counter-proposal that awaits its own side',
    'countered',
    2,
    { awaiting: 'performer' },
    /awaits principal/,
  ],
  // Children
  [
    'a child left out',
    'tree',
    4,
    ({ children }) => ({ children: children!.slice(0, 1) }),
    /delegated on this chain/,
  ],
  [
    'a child that was never delegated',
    'tree',
    4,
    ({ children }) => ({ children: [...children!, { ...children![0], id: childId(3) }] }),
    /delegated on this chain/,
  ],
  [
    'children in another order',
    'tree',
    4,
    ({ children }) => ({ children: children!.toReversed() }),
    /delegated on this chain/,
  ],
  [
    'an open child',
    'tree',
    4,
    ({ children }) => ({ children: children!.map((child) => ({ ...child, status: 'ACTIVE' })) }),
    /every child has ended/,
  ],
  [
    'a child delegated twice',
    'tree',
    3,
    ({ children }) => ({ children: [{ ...children![0], id: childId(1) }] }),
    /delegated before/,
  ],
  [
    'two children at once',
    'tree',
    3,
    ({ children }) => ({ children: [...children!, { ...children![0], id: childId(3) }] }),
    /of one child/,
  ],
  [
    'a child that ends as it begins',
    'tree',
    2,
    ({ children }) => ({ children: [{ ...children![0], status: 'FULFILLED' }] }),
    /no record begins/,
  ],
  ['children that wait for nobody', 'tree', 2, { awaiting: 'performer' }, /awaits children/],
  // Disputes
  ['opened by the winner', 'dispute', 5, by('performer'), /open-dispute is not for the performer/],
  ['opened for the winner', 'dispute', 5, dispute({ side: 'performer' }), /outcome went against/],
  [
    'opened at the last tier',
    'dispute',
    5,
    dispute({ tier: 3, phase: 'TIER_3_ARBITRATION' }),
    /phase, tier/,
  ],
  ['opened with another window', 'dispute', 5, dispute({ deadline: SOON }), /evidence window/],
  [
    'opened after the window',
    'dispute',
    5,
    ({ at }) => {
      const late = new Date(Date.parse(at) + 8 * DAY);
      return { at: late.toISOString() };
    },
    /could be disputed until/,
  ],
  [
    'evidence under the other side',
    'dispute',
    7,
    dispute({ side: 'performer' }),
    /side that submitted it/,
  ],
  ['evidence by a stranger', 'dispute', 7, stranger, /comes from a side/],
  ['evidence that moves the deadline', 'dispute', 7, dispute({ deadline: SOON }), /deadline/],
  [
    'a tier skipped',
    'escalated',
    7,
    dispute({ tier: 3, phase: 'TIER_3_ARBITRATION' }),
    /phase, tier/,
  ],
  ['escalated by a stranger', 'escalated', 7, stranger, /by a side/],
  ['escalated by the service before its time', 'escalated', 7, by('system'), /lasts until/],
  [
    'a phase that ends before it begins',
    'escalated',
    7,
    dispute({ deadline: '2026-11-20T10:00:00.000Z' }),
    /ends after it begins/,
  ],
  [
    'upheld in the first phase by an admin',
    'upheld',
    7,
    (_, on) => ({ actor: { kind: 'admin', orgId: on.orgId } }),
    /EVIDENCE_WINDOW, UPHELD is not for/,
  ],
  ['upheld by the winner', 'upheld', 7, by('performer'), /UPHELD is not for/],
  [
    'resolved by its initiator',
    'overturned',
    7,
    (_, __, { statements }) => ({ actor: statements[4]!.predicate['actor'] }),
    /OVERTURNED is not for/,
  ],
  [
    'resolved by another key of its initiator',
    'overturned',
    7,
    by('principal'),
    /OVERTURNED is not for/,
  ],
  ['resolved by a stranger', 'overturned', 7, stranger, /OVERTURNED is not for/],
  ['ended by the service before its time', 'upheld', 7, by('system'), /lasts until/],
  [
    'overturned, and the record stays',
    'upheld',
    7,
    dispute({ outcome: 'OVERTURNED' }),
    /OVERTURNED moves the record/,
  ],
  [
    'upheld, and the record moves',
    'overturned',
    7,
    dispute({ outcome: 'UPHELD' }),
    /UPHELD does not move/,
  ],
  ['ended without an outcome', 'upheld', 7, dispute({ outcome: null }), /upheld or overturned/],
  ['withdrawn by the other side', 'withdrawn', 7, by('performer'), /withdrawn by/],
  ['withdrawn with an outcome', 'withdrawn', 7, dispute({ outcome: 'UPHELD' }), /outcome/],
  ['a resolution without its reason', 'upheld', 7, { reason: undefined }, /has reason/],
  // Settlement
  ['another platformRef', 'accepted', 5, { platformRef: 'other' }, /another platformRef/],
  ['another performer', 'accepted', 5, { performerAgentId: OTHER }, /another performer/],
  ['a release where a hold follows', 'failed', 4, { recommendation: 'RELEASE' }, /HOLD follows/],
  ['a hold where a release follows', 'cancelled', 3, { recommendation: 'HOLD' }, /RELEASE follows/],
  [
    'a settlement after a resolution against it',
    'overturned',
    8,
    { recommendation: 'SETTLE' },
    /SETTLE/,
  ],
  ['a release before the window ends', 'failed', 5, dated(-2 * DAY), /held until then/],
  ['a signal of another request', 'accepted', 5, { requestId: 'other' }, /sealed with the step/],
  ['a signal by another dispute', 'upheld', 8, { disputeId: OTHER }, /another dispute/],
  ['a signal by an agent', 'accepted', 5, by('principal'), /service itself/],
  ['a signal meant for a peer', 'accepted', 5, { toHubId: OTHER }, /no place on a chain/],
  // References
  [
    'a reference added twice',
    'referenced',
    3,
    (_, __, { statements }) => ({ reference: statements[1]!.predicate['reference'] }),
    /added before/,
  ],
  // The lifecycle as such
  ['a verdict that skips to another state', 'accepted', 4, to('REMEDIATED'), /knows no step/],
];

describe('signed by an operator who holds the key and lies', () => {
  it.each(LINES)('%s', async (_rule, name, position, lie, said) => {
    const told: Lie = typeof lie === 'function' ? (lie as Lie) : () => lie;
    const story: Story = STORIES[name];
    const chain = await signStory(
      hub,
      { ...story, steps: upTo(story.steps, position) },
      position,
      told,
    );
    const report = await verifyUnder(hub, await hub.export(chain));
    expect(report.verdict).toBe('invalid');
    expect(
      report.failures.filter(
        (failure) => failure.position === position && said.test(failure.detail),
      ),
      JSON.stringify(report.failures),
    ).not.toEqual([]);
    expect(new Set(report.failures.map((failure) => failure.class))).toEqual(
      new Set(['CHAIN_PAYLOAD_BINDING_MISMATCH']),
    );
    expect(report.failures.map((failure) => failure.position)).not.toContain(position - 1);
  });

  it('more revisions than the type allows', async () => {
    const again = [submitted('REVISION_REQUESTED'), revised];
    const chain = await signStory(hub, {
      type: { maxRevisions: 1 },
      steps: [...delivered, revised, ...again],
    });
    const report = await verifyUnder(hub, await hub.export(chain));
    expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
      [5, 'the type allows 1 revisions'],
    ]);
  });

  it('more disputes than the type allows', async () => {
    const id = { dispute: { id: OTHER } };
    const chain = await signStory(hub, {
      steps: [
        ...inDispute,
        withdrawn('FULFILLED'),
        settle,
        step('DISPUTE_OPENED', 'open-dispute', 'FULFILLED', 'FULFILLED', () => id),
      ],
    });
    const report = await verifyUnder(hub, await hub.export(chain));
    expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
      [9, 'the type allows 1 disputes'],
    ]);
  });

  it('more than 256 children', async () => {
    const many = Array.from({ length: 257 }, () =>
      step('CHILD_DELEGATED', 'delegate', 'ACTIVE', 'ACTIVE', (on) => ({
        children: [{ id: on.id(), status: 'ACTIVE', headHash: 'c'.repeat(64), disputed: false }],
      })),
    );
    const report = await verifyUnder(
      hub,
      await hub.export(await signStory(hub, { steps: [created, ...many] })),
    );
    expect(report.failures.map(({ position, detail }) => [position, detail])).toEqual([
      [258, 'a record has at most 256 children'],
    ]);
  });

  it('a checkpoint older than the entry that it covers', async () => {
    const chain = await signStory(hub, STORIES.accepted);
    hub.pass(-4_000);
    const report = await verifyUnder(hub, await hub.export(chain));
    expect(report.failures.map(({ class: name, position }) => [name, position])).toEqual([
      ['CHAIN_PAYLOAD_BINDING_MISMATCH', 5],
    ]);
    expect(report.brokenAt?.detail).toMatch(/before the entry that it covers/);
  });
});

/** The story up to the entry at this position: what follows a lie is not what is asked about. */
const upTo = (steps: readonly Step[], position: number): readonly Step[] => {
  let entries = 0;
  return steps.filter((one) => {
    if (entries >= position) return false;
    if (!('pass' in one)) entries++;
    return true;
  });
};
