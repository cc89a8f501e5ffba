import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import { TestHub } from '../../support/attackers/make-export.ts';
import { DAY } from '../../support/attackers/genuine-steps.ts';
import {
  accepted,
  childId,
  created,
  delegated,
  disputed,
  expired,
  failed,
  fulfilled,
  hold,
  pass,
  passed,
  proposed,
  referenced,
  settle,
  signStory,
  submitted,
  verified,
  verifyUnder,
  type Lie,
  type Story,
} from '../../support/attackers/lying-operator.ts';
const AUTO = {
  gateMode: 'auto',
  gates: [{ id: 'total', expression: 'true', severity: 'block' }],
} as const;
const TREE = { cascade: { rule: 'all-fulfilled' } } as const;
const OTHER = '0190e000-0000-7000-8000-00000000000e';
const SOON = new Date(Date.parse('2026-11-20T10:00:00.000Z') + 30 * DAY).toISOString();
const delivered = [created, submitted()] as const;
const inDispute = [...delivered, fulfilled, settle, disputed('FULFILLED'), hold] as const;
const L =
  (o: object): Lie =>
  () =>
    o;
const child = (n: number, status: RecordStatus, headHash = 'd'.repeat(64)) => ({
  id: childId(n),
  status,
  headHash,
  disputed: false,
});
const CASES: readonly (readonly [string, Story, number, Lie, RegExp])[] = [
  [
    'evaluate by system long after verdict window',
    { type: AUTO, steps: [...delivered, pass(40 * DAY), passed] },
    0,
    L({}),
    /had expired/,
  ],
  [
    'child RECORDED then CANCELLED',
    { type: TREE, steps: [created, delegated(1, 'RECORDED'), verified('CANCELLED')] },
    0,
    L({}),
    /does not become/,
  ],
  [
    'child ACTIVE then REJECTED',
    { type: TREE, steps: [created, delegated(1, 'ACTIVE'), verified('REJECTED')] },
    0,
    L({}),
    /does not become/,
  ],
  [
    'child ACTIVE then RECORDED',
    { type: TREE, steps: [created, delegated(1, 'ACTIVE'), verified('RECORDED')] },
    3,
    () => ({ children: [child(1, 'RECORDED')] }),
    /does not become/,
  ],
  [
    'child FAILED then FULFILLED',
    {
      type: TREE,
      steps: [created, delegated(1, 'ACTIVE'), verified('FAILED'), verified('FULFILLED')],
    },
    4,
    () => ({ children: [child(1, 'FULFILLED')] }),
    /does not become/,
  ],
  [
    'settle missing before dispute',
    { steps: [...delivered, fulfilled, disputed('FULFILLED'), hold] },
    0,
    L({}),
    /no signal follows/,
  ],
  [
    'hold missing, then reference',
    { steps: [...delivered, failed, referenced('FAILED')] },
    0,
    L({}),
    /no signal follows/,
  ],
  [
    'signalId reused',
    { steps: [...inDispute] },
    6,
    (_, __, c) => ({ signalId: c.statements[3]!.predicate['signalId'] }),
    /emitted once/,
  ],
  [
    'creation already expired',
    { record: { expiresAt: '2026-01-01T00:00:00.000Z' }, steps: [created] },
    0,
    L({}),
    /begin after it has expired/,
  ],
  [
    'creation no expiry where default ttl',
    { type: { defaultTtlSeconds: 3600 }, steps: [created] },
    0,
    L({}),
    /time to live/,
  ],
  [
    'onBehalfOf asserted on accept',
    { steps: [proposed, accepted] },
    2,
    L({
      onBehalfOf: {
        subject: { iss: 'i', sub: 's' },
        validated: false,
        provenance: 'asserted',
        act: [],
      },
    }),
    /where it creates a record/,
  ],
  [
    'onBehalfOf on system expiry',
    { record: { expiresAt: SOON }, steps: [created, pass(31 * DAY), expired()] },
    2,
    L({
      onBehalfOf: {
        subject: { iss: 'i', sub: 's' },
        validated: true,
        provenance: 'token_exchange',
        act: [],
      },
    }),
    /on behalf of nobody/,
  ],
  [
    'agent with no credential',
    { steps: [proposed, accepted] },
    2,
    (p) => ({ actor: { ...p.actor, apiKeyId: undefined } }),
    /with a credential/,
  ],
  [
    'peerHubId on agent',
    { steps: [proposed, accepted] },
    2,
    (p) => ({ actor: { ...p.actor, peerHubId: OTHER } }),
    /only a peer/,
  ],
  [
    'child is parent',
    {
      type: TREE,
      record: { parentRecordId: childId(1), depth: 1, rootRecordId: childId(1) },
      steps: [created, delegated(1)],
    },
    0,
    L({}),
    /above its parent/,
  ],
  [
    'depth 1 with root not parent',
    {
      record: { parentRecordId: childId(1), depth: 1, rootRecordId: childId(2) },
      steps: [created],
    },
    0,
    L({}),
    /right below its root/,
  ],
  [
    'a child that ends with the head it began with',
    { type: TREE, steps: [created, delegated(1, 'ACTIVE'), verified('FULFILLED')] },
    3,
    () => ({ children: [child(1, 'FULFILLED', 'c'.repeat(64))] }),
    /entry of its own chain/,
  ],
];
let hub: TestHub;
beforeEach(async () => {
  hub = await TestHub.start();
});

describe('what else an operator with the key signs', () => {
  it.each(CASES)('%s', async (_name, story, position, lie, said) => {
    const chain = await signStory(hub, story, position, lie);
    const report = await verifyUnder(hub, await hub.export(chain));
    expect(report.verdict).toBe('invalid');
    expect(report.failures.map(({ detail }) => detail).join('\n')).toMatch(said);
  });
});
