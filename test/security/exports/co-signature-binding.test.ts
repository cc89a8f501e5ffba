import { describe, expect, it } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { childId } from '../../support/attackers/lying-operator.ts';
import {
  CRITERIA,
  EVIDENCE,
  text,
  useCoSignedChains,
  type Signed,
} from '../../support/clients/co-signed-chain.ts';

const chains = useCoSignedChains();
const { actor, append, own, verdict, verify } = chains;

const expectSaid = async (signed: Signed, said: RegExp) => {
  const report = await verify(signed);
  expect(report.failures.map(({ detail }) => detail).join('\n')).toMatch(said);
  expect(report.verdict).toBe('invalid');
};
describe('what an agent co-signed, sealed as something else', () => {
  const start = (type = {}): Signed => ({
    chain: chains.hub.chain(CRITERIA, type),
    requests: new Map(),
  });
  it('expiry nobody asked for', async () => {
    const s = start();
    s.chain.record.expiresAt = '2026-11-20T10:00:09.000Z';
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: chains.hub.performer,
          autoActivate: true,
        }),
      },
    );
    await expectSaid(s, /in expiresAt/);
  });
  it('principal swapped', async () => {
    const s = start();
    await append(
      s,
      'RECORD_PROPOSED',
      { action: 'create', from: null, to: 'PROPOSED' },
      { actor: actor('performer'), awaiting: 'principal' },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: chains.hub.performer,
        }),
      },
    );
    await expectSaid(s, /in principalAgentId/);
  });
  it('subtree of another', async () => {
    const s = start();
    Object.assign(s.chain.record, {
      parentRecordId: childId(1),
      depth: 1,
      rootRecordId: childId(1),
    });
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          parentRecordId: childId(1),
          performerAgentId: chains.hub.performer,
          autoActivate: true,
        }),
      },
    );
    await append(
      s,
      'RECORD_CANCELLED',
      { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' },
      { actor: actor('principal'), reason: 'parent_cancelled', cancelledBy: 'principal' },
      { path: `/v1/records/${childId(7)}/cancel`, body: text({ cascade: true }) },
    );
    await expectSaid(s, /about another record/);
  });
  it('gate results flipped', async () => {
    const s = start({ operatingMode: 'encrypted', gates: [{ id: 'g', expression: 'true' }] });
    const recipients = { encryption: { recipients: ['A'.repeat(43)] } };
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal'), ...recipients },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: chains.hub.performer,
          autoActivate: true,
        }),
      },
    );
    const at = chains.hub.now();
    const completionId = chains.hub.id();
    await append(
      s,
      'COMPLETION_SUBMITTED',
      { action: 'submit-completion', from: 'ACTIVE', to: 'ACTIVE' },
      {
        actor: actor('performer'),
        completionId,
        evidenceHash: hashJson(EVIDENCE),
        ...recipients,
        gate: {
          state: 'SKIPPED',
          now: new Date(Date.parse(at) + 1000).toISOString(),
          inputsDigest: 'a'.repeat(64),
          results: [],
        },
      },
      { path: own(s, 'completions'), body: text({ evidence: EVIDENCE }) },
    );
    await verdict(
      s,
      { says: { gateResults: [{ gateId: 'g', outcome: 'fail', detail: 'no' }] } },
      {
        gate: { claimedBy: 'principal', results: [{ gateId: 'g', outcome: 'pass', detail: null }] },
      },
    );
    await expectSaid(s, /in gateResults/);
  });
  it('delegate: principal', async () => {
    const s = start({ cascade: { rule: 'all-fulfilled' } });
    await append(
      s,
      'RECORD_CREATED',
      { action: 'create', from: null, to: 'ACTIVE' },
      { actor: actor('principal') },
      {
        path: '/v1/records',
        body: text({
          type: 'invoice-approval',
          criteria: CRITERIA,
          performerAgentId: chains.hub.performer,
          autoActivate: true,
        }),
      },
    );
    const body = text({
      type: 'x',
      criteria: {},
      parentRecordId: s.chain.chainKey,
      autoActivate: true,
    });
    await append(
      s,
      'CHILD_DELEGATED',
      { action: 'delegate', from: 'ACTIVE', to: 'ACTIVE' },
      {
        actor: actor('performer'),
        children: [
          { id: childId(1), status: 'PROPOSED', headHash: 'c'.repeat(64), disputed: false },
        ],
      },
      { path: '/v1/records', body },
    );
    await expectSaid(s, /in autoActivate/);
  });
});
