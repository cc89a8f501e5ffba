import { describe, expect, it } from 'vitest';
import {
  MAX_DISPUTE_EVIDENCE,
  MAX_DISPUTE_EVIDENCE_BYTES,
} from '../../../domain/dispute/dispute.ts';
import {
  assertDisputable,
  escalate,
  laterEvidenceHash,
  open,
  openingHash,
  resolve,
  submitEvidence,
  withdraw,
} from '../../../domain/dispute/moves.ts';
import { noOpenDispute } from '../../../domain/dispute/refusals.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { RecordState, Side } from '../../../domain/record/record-state.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import { actingOn } from '../../../domain/record/sides.ts';
import { adminOf, at, callerOf, id, refusalOf, SUBMITTED } from '../record/support.ts';
import { claimOf, disputed, draftOf, failed } from './support.ts';

const performer = callerOf('performer');
const principal = callerOf('principal');
const TIERS = { tier2: 1000, tier3: 2000 };

describe('a dispute may be opened', () => {
  const side = (record: RecordState, caller = performer, now = at(110)): Side =>
    assertDisputable(record, actingOn(caller, record), now);

  it('by the side that lost', () => {
    expect(side(failed())).toBe('performer');
    expect(side(failed({ status: 'FULFILLED' }), principal)).toBe('principal');
  });

  it.each<[string, RecordState, typeof performer, string, object]>([
    [
      'by the side that won',
      failed({ disputeCount: 9 }),
      principal,
      at(900),
      { code: 'FORBIDDEN', members: { allowedActors: ['performer'] } },
    ],
    [
      'while a completion waits for its verdict',
      failed({ ...SUBMITTED, terminalAt: null }),
      performer,
      at(110),
      {
        code: 'UNPROCESSABLE_STATE',
        message: 'A completion awaits its verdict; there is no outcome to dispute yet.',
      },
    ],
    [
      'where nobody lost',
      failed({ status: 'REMEDIATED' }),
      performer,
      at(110),
      { code: 'UNPROCESSABLE_STATE', members: { currentStatus: 'REMEDIATED' } },
    ],
    [
      'while another one is open',
      failed({ disputed: true, openDisputeId: id(7), disputeCount: 1 }),
      performer,
      at(900),
      { members: { reason: 'record_disputed', openDisputeId: id(7) } },
    ],
    [
      'beyond the limit of the type, even after the window',
      failed({ disputeCount: 2 }),
      performer,
      at(900),
      { members: { disputeCount: 2, maxDisputes: 2 } },
    ],
    [
      'after the window',
      failed(),
      performer,
      at(150),
      { message: `The outcome could be disputed until ${at(150)}; that time is over.` },
    ],
  ])('not %s', (_title, record, caller, now, refusal) => {
    expect(refusalOf(() => side(record, caller, now))).toMatchObject(refusal);
  });

  it('after the window is no longer named among the allowed actions', () => {
    const { members } = refusalOf(() => side(failed(), performer, at(150)));
    expect(members.allowedActions).not.toContain('open-dispute');
  });
});

describe('an opened dispute', () => {
  const change = open(
    failed(),
    'performer',
    draftOf({ evidence: { id: id(600), content: { photo: 1 } } }),
    at(110),
  );

  it('marks the record and leaves its status', () => {
    expect(change.after).toMatchObject({
      status: 'FAILED',
      disputed: true,
      openDisputeId: id(500),
      disputeCount: 1,
      disputeDeadline: at(170),
      version: 6,
      updatedAt: at(110),
    });
    expect(change.transition.entry).toBe('DISPUTE_OPENED');
  });

  it('begins with the window for evidence', () => {
    expect(change.dispute).toMatchObject({
      phase: 'EVIDENCE_WINDOW',
      tier: 1,
      side: 'performer',
      initiatorRole: 'performer',
      evidenceDeadline: at(170),
      phaseDeadline: at(170),
      evidence: [{ id: id(600), side: 'performer', contentHash: hashJson({ photo: 1 }) }],
    });
  });

  it('binds its words and its first evidence in the entry', () => {
    const { contentHash } = change.sealed.dispute!;
    expect(contentHash).toBe(openingHash(change.dispute, { photo: 1 }));
    expect(openingHash({ ...change.dispute, statement: 'other' }, { photo: 1 })).not.toBe(
      contentHash,
    );
    expect(openingHash(change.dispute, { photo: 2 })).not.toBe(contentHash);
    expect(openingHash(change.dispute, null)).not.toBe(contentHash);
  });

  it('keeps its content out of the event', () => {
    expect(JSON.stringify(change.eventData)).not.toMatch(/photo|It was done|QUALITY/);
  });

  it('says for an admin that an admin opened it', () => {
    expect(disputed(failed(), adminOf('performer')).dispute.initiatorRole).toBe('admin');
  });
});

describe('evidence', () => {
  const { record, dispute } = disputed();
  const given = (content: object, sides: readonly Side[] = ['principal']) => ({
    id: id(601),
    content: content as Record<string, string>,
    by: claimOf(principal),
    sides: new Set(sides),
  });

  it.each<[readonly Side[], Side]>([
    [['principal'], 'principal'],
    [['performer'], 'performer'],
    [['principal', 'performer'], 'performer'],
  ])('of a caller for %j counts for the %s', (sides, side) => {
    const change = submitEvidence(record, dispute, given({ a: 'b' }, sides), at(120));
    expect(change.dispute.evidence).toMatchObject([{ side, submittedAt: at(120) }]);
    expect(change.sealed.dispute).toMatchObject({
      side,
      contentHash: laterEvidenceHash({ a: 'b' }),
    });
    expect(change.after).toMatchObject({ disputed: true, disputeDeadline: record.disputeDeadline });
  });

  it('ends at the limit of pieces', () => {
    const [piece] = submitEvidence(record, dispute, given({}), at(120)).dispute.evidence;
    const with_ = (count: number) => ({ ...dispute, evidence: Array(count).fill(piece) });
    const submit = (count: number) => () =>
      submitEvidence(record, with_(count), given({}), at(120));
    expect(submit(MAX_DISPUTE_EVIDENCE - 1)().dispute.evidence).toHaveLength(MAX_DISPUTE_EVIDENCE);
    expect(refusalOf(submit(MAX_DISPUTE_EVIDENCE)).members).toMatchObject({
      errors: [{ keyword: 'maxItems' }],
    });
  });

  it('ends at the limit of bytes, in its canonical form', () => {
    const of = (bytes: number) => () =>
      submitEvidence(record, dispute, given({ a: 'x'.repeat(bytes - '{"a":""}'.length) }), at(120));
    expect(of(MAX_DISPUTE_EVIDENCE_BYTES)).not.toThrow();
    expect(refusalOf(of(MAX_DISPUTE_EVIDENCE_BYTES + 1)).members).toMatchObject({
      errors: [{ keyword: 'maxLength' }],
    });
  });
});

describe('an escalation', () => {
  const { record, dispute } = disputed();

  it('takes the dispute up tier by tier, and no further than the third', () => {
    const second = escalate(record, dispute, 'urgent', TIERS, at(120), at(120));
    expect(second).toMatchObject({
      dispute: { phase: 'TIER_2_REVIEW', tier: 2, phaseDeadline: at(1120) },
      after: { disputeDeadline: at(1120), status: 'FAILED' },
      sealed: { reason: 'urgent', dispute: { phase: 'TIER_2_REVIEW', deadline: at(1120) } },
    });
    const third = escalate(second.after, second.dispute, null, TIERS, at(200), at(200));
    expect(third.dispute).toMatchObject({
      phase: 'TIER_3_ARBITRATION',
      tier: 3,
      phaseDeadline: at(2200),
    });
    expect(third.sealed).not.toHaveProperty('reason');
    expect(
      refusalOf(() => escalate(third.after, third.dispute, null, TIERS, at(300), at(300))),
    ).toMatchObject({ message: 'The dispute is at its third and last tier.' });
  });

  it('counts the next tier from the passed deadline, however late it is made', () => {
    const { dispute: next, after } = escalate(record, dispute, null, TIERS, at(170), at(999));
    expect(next.phaseDeadline).toBe(at(1170));
    expect(after.updatedAt).toBe(at(999));
  });
});

describe('a decision', () => {
  it.each<[RecordStatus, 'UPHELD' | 'OVERTURNED', RecordStatus]>([
    ['FULFILLED', 'UPHELD', 'FULFILLED'],
    ['FULFILLED', 'OVERTURNED', 'FAILED'],
    ['FAILED', 'UPHELD', 'FAILED'],
    ['FAILED', 'OVERTURNED', 'REMEDIATED'],
    ['EXPIRED', 'OVERTURNED', 'REMEDIATED'],
    ['CANCELLED', 'OVERTURNED', 'REMEDIATED'],
  ])('on %s: %s makes it %s', (status, outcome, to) => {
    const before = failed({
      status,
      latestCompletionId: id(200),
      cancelledBy: status === 'CANCELLED' ? 'principal' : null,
    });
    const { record, dispute } = disputed(before, status === 'FULFILLED' ? principal : performer);
    const given = { outcome, resolution: 'so be it', by: claimOf(principal) };
    const change = resolve(record, dispute, given, at(130));
    expect(change.after).toMatchObject({
      status: to,
      terminalAt: outcome === 'UPHELD' ? at(100) : at(130),
      cancelledBy: outcome === 'UPHELD' ? before.cancelledBy : null,
      disputed: false,
      openDisputeId: null,
      disputeDeadline: null,
    });
    expect(change.dispute).toMatchObject({
      phase: 'RESOLVED',
      phaseDeadline: null,
      outcome,
      resolvedAt: at(130),
    });
    expect(change.sealed).toMatchObject({
      reason: 'so be it',
      dispute: { outcome, phase: 'RESOLVED' },
    });
    expect(change.sealed.dispute).not.toHaveProperty('deadline');
  });
});

describe('a withdrawal', () => {
  it('ends the dispute, leaves the outcome, and the dispute still counts', () => {
    const { record, dispute } = disputed();
    expect(withdraw(record, dispute, performer, claimOf(performer), at(130))).toMatchObject({
      after: { status: 'FAILED', terminalAt: at(100), disputed: false, disputeCount: 1 },
      dispute: { phase: 'WITHDRAWN', outcome: null, resolvedAt: at(130) },
    });
  });

  it('is for the initiator, an admin of its side, or the platform', () => {
    const { record, dispute } = disputed();
    const by = (caller: typeof performer) => () =>
      withdraw(record, dispute, caller, claimOf(caller), at(130));
    expect(by(adminOf('performer'))).not.toThrow();
    expect(by({ ...adminOf('stranger'), role: 'platform' })).not.toThrow();
    for (const caller of [principal, adminOf('principal')])
      expect(refusalOf(by(caller))).toMatchObject({
        code: 'FORBIDDEN',
        members: { allowedActors: ['initiator', 'admin', 'platform'] },
      });
  });
});

describe('an action without an open dispute', () => {
  it('is told whether there never was one, or it has ended', () => {
    expect(noOpenDispute(failed(), 'escalate-dispute')).toMatchObject({
      message: 'No dispute was opened on this record.',
      members: { attemptedTransition: 'escalate-dispute', disputeCount: 0 },
    });
    expect(noOpenDispute(failed({ disputeCount: 1 }), 'withdraw-dispute').message).toBe(
      'The dispute on this record has ended.',
    );
  });
});
