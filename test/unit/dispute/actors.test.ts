import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { DisputeHead, DisputePhase } from '../../../domain/dispute/dispute.ts';
import {
  evidenceSide,
  isOpener,
  mayWithdraw,
  resolvers,
  resolvingAs,
} from '../../../domain/dispute/actors.ts';
import type { RecordState, Side } from '../../../domain/record/record-state.ts';

const [PRINCIPAL, PERFORMER, PRINCIPAL_ORG, PERFORMER_ORG] = ['a1', 'a2', 'o1', 'o2'];
const record = {
  principalAgentId: PRINCIPAL,
  performerAgentId: PERFORMER,
  orgId: PRINCIPAL_ORG,
  performerOrgId: PERFORMER_ORG,
} as RecordState;

const caller = (role: Caller['role'], of: Partial<Caller> = {}): Caller => ({
  role,
  authType: 'api_key',
  apiKeyId: 'k0',
  agentId: null,
  orgId: null,
  name: '',
  scopes: [],
  allowed: new Set(),
  allowedIps: null,
  cert: null,
  oidc: null,
  ...of,
});
const CALLERS = {
  principal: caller('agent', { apiKeyId: 'k1', agentId: PRINCIPAL, orgId: PRINCIPAL_ORG }),
  performer: caller('agent', { apiKeyId: 'k2', agentId: PERFORMER, orgId: PERFORMER_ORG }),
  'admin of the principal': caller('admin', { apiKeyId: 'k3', orgId: PRINCIPAL_ORG }),
  'admin of the performer': caller('admin', { apiKeyId: 'k4', orgId: PERFORMER_ORG }),
  platform: caller('platform', { apiKeyId: 'k5' }),
} as const;

/** Opened by another key of the agent of that side, so that being the opener plays no part but for the agent itself. */
const disputeOf = (side: Side, phase: DisputePhase): DisputeHead =>
  ({
    side,
    phase,
    initiatedBy: {
      kind: 'agent',
      agentId: side === 'principal' ? PRINCIPAL : PERFORMER,
      apiKeyId: 'other',
    },
  }) as DisputeHead;

describe('whoever an identity provider vouches for, who has neither key nor agent', () => {
  const oidc = { iss: 'https://idp.example', sub: 'ann' };
  const cert = {
    id: 'c1',
    thumbprint: 't',
    expiresAt: '2026-01-01T00:00:00.000Z',
    publicKey: new Uint8Array(32),
  };
  const admin = (of: Partial<Caller>): Caller =>
    caller('admin', { apiKeyId: null, orgId: PRINCIPAL_ORG, ...of });
  const dispute = {
    side: 'principal',
    phase: 'TIER_2_REVIEW',
    initiatedBy: { kind: 'admin', certId: 'c1', oidc },
  } as unknown as DisputeHead;

  it('does not decide on the dispute that it opened, by whatever certificate', () => {
    for (const of of [{ oidc }, { cert }, { oidc, cert: { ...cert, id: 'c2' } }])
      expect(resolvingAs(admin(of), record, dispute, 'UPHELD')).toBeNull();
    for (const of of [
      { oidc: { ...oidc, sub: 'bob' } },
      { oidc: { ...oidc, iss: 'https://other.example' } },
      { cert: { ...cert, id: 'c2' } },
    ])
      expect(resolvingAs(admin(of), record, dispute, 'UPHELD')).toBe('deciding');
  });
});

describe('who may resolve, and as what', () => {
  const may = (side: Side, phase: DisputePhase, outcome: 'UPHELD' | 'OVERTURNED') =>
    Object.entries(CALLERS).flatMap(([name, one]) => {
      const as = resolvingAs(one, record, disputeOf(side, phase), outcome);
      return as === null ? [] : [`${name} ${as}`];
    });

  it.each<[Side, DisputePhase, 'UPHELD' | 'OVERTURNED', string[]]>([
    ['principal', 'EVIDENCE_WINDOW', 'UPHELD', ['platform deciding']],
    [
      'principal',
      'EVIDENCE_WINDOW',
      'OVERTURNED',
      ['performer conceding', 'admin of the performer conceding', 'platform deciding'],
    ],
    [
      'principal',
      'TIER_2_REVIEW',
      'UPHELD',
      ['admin of the principal deciding', 'platform deciding'],
    ],
    [
      'principal',
      'TIER_2_REVIEW',
      'OVERTURNED',
      [
        'performer conceding',
        'admin of the principal deciding',
        'admin of the performer conceding',
        'platform deciding',
      ],
    ],
    ['principal', 'TIER_3_ARBITRATION', 'UPHELD', ['platform deciding']],
    ['performer', 'EVIDENCE_WINDOW', 'UPHELD', ['platform deciding']],
    [
      'performer',
      'EVIDENCE_WINDOW',
      'OVERTURNED',
      ['principal conceding', 'admin of the principal conceding', 'platform deciding'],
    ],
    [
      'performer',
      'TIER_2_REVIEW',
      'UPHELD',
      ['admin of the principal deciding', 'platform deciding'],
    ],
    [
      'performer',
      'TIER_3_ARBITRATION',
      'OVERTURNED',
      ['principal conceding', 'admin of the principal conceding', 'platform deciding'],
    ],
  ])('opened by the %s, in %s, %s: %j', (side, phase, outcome, expected) => {
    expect(may(side, phase, outcome)).toEqual(expected);
  });

  it.each(Object.values(CALLERS))('never the key that opened it: $role $apiKeyId', (opener) => {
    for (const side of ['principal', 'performer'] as const)
      for (const outcome of ['UPHELD', 'OVERTURNED'] as const) {
        const dispute = {
          ...disputeOf(side, 'TIER_2_REVIEW'),
          initiatedBy: { kind: opener.role, apiKeyId: String(opener.apiKeyId) },
        };
        expect(resolvingAs(opener, record, dispute, outcome)).toBeNull();
      }
  });

  it('names them as the refusals do', () => {
    expect(resolvers(disputeOf('performer', 'TIER_2_REVIEW'), 'OVERTURNED')).toEqual([
      'principal',
      'admin',
      'platform',
    ]);
    expect(resolvers(disputeOf('performer', 'TIER_2_REVIEW'), 'UPHELD')).toEqual([
      'admin',
      'platform',
    ]);
    expect(resolvers(disputeOf('principal', 'TIER_3_ARBITRATION'), 'OVERTURNED')).toEqual([
      'performer',
      'platform',
    ]);
  });
});

describe('whoever opened a dispute', () => {
  it('is its key, or any key of its agent, and nobody who merely lacks the same', () => {
    const byAdmin = { initiatedBy: { kind: 'admin', apiKeyId: 'k3' } } as DisputeHead;
    expect(isOpener(CALLERS['admin of the principal'], byAdmin)).toBe(true);
    expect(
      isOpener(caller('admin', { apiKeyId: null, orgId: PRINCIPAL_ORG }), {
        initiatedBy: { kind: 'admin' },
      }),
    ).toBe(false);
    expect(isOpener(CALLERS.principal, disputeOf('principal', 'EVIDENCE_WINDOW'))).toBe(true);
    expect(isOpener(CALLERS.performer, disputeOf('principal', 'EVIDENCE_WINDOW'))).toBe(false);
  });

  it('may withdraw it; so may an admin of its side and the platform', () => {
    const able = (side: Side) =>
      Object.entries(CALLERS).flatMap(([name, one]) =>
        mayWithdraw(one, record, disputeOf(side, 'EVIDENCE_WINDOW')) ? [name] : [],
      );
    expect(able('principal')).toEqual(['principal', 'admin of the principal', 'platform']);
    expect(able('performer')).toEqual(['performer', 'admin of the performer', 'platform']);
  });
});

describe('evidence', () => {
  it('is for the side of whoever submits it, and for the one that disputes where they speak for both', () => {
    const [both, one] = [new Set<Side>(['principal', 'performer']), new Set<Side>(['performer'])];
    expect([
      evidenceSide(both, 'principal'),
      evidenceSide(both, 'performer'),
      evidenceSide(one, 'principal'),
      evidenceSide(one, 'performer'),
    ]).toEqual(['principal', 'performer', 'performer', 'performer']);
  });
});
