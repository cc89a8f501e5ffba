import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { TestHub } from '../../support/attackers/make-export.ts';

let hub: TestHub;
let genuine: AuditExport;
beforeAll(async () => {
  hub = await TestHub.start();
  genuine = await hub.export(await hub.gate());
});
const verify = (parties: unknown): Promise<VerificationReport> =>
  verifyAuditExport(JSON.stringify({ ...genuine, parties }), {
    trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
  });

describe('parties[] of an export', () => {
  it('may bear any names, which nothing seals', async () => {
    const renamed = genuine.parties.map((party) => ({ ...party, name: 'x', orgName: 'y' }));
    expect(await verify(renamed)).toMatchObject({ verdict: 'valid' });
  });

  it.each<[string, (parties: AuditExport['parties']) => unknown]>([
    ['one left out', ([principal]) => [principal]],
    ['one added', (parties) => [...parties, parties[0]]],
    ['none', () => []],
    ['the names of two exchanged with their places', (parties) => [parties[1], parties[0]]],
    ['another agent', ([first, second]) => [first, { ...second, agentId: first!.orgId }]],
    ['another org', ([first, second]) => [{ ...first, orgId: first!.agentId }, second]],
  ])('are those that the chain seals: %s is refused', async (_what, change) => {
    expect(await verify(change(genuine.parties))).toMatchObject({
      verdict: 'invalid',
      failures: [
        {
          class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
          position: 3,
          detail: 'parties are not the agents and orgs that the chain seals',
        },
      ],
    });
  });

  it.each([
    [null],
    [{}],
    [[null, null]],
    [[{ agentId: 1, orgId: 'x', name: 'x', orgName: 'x' }]],
    [[{ ...{ agentId: 'x', orgId: 'x', name: 'x', orgName: 'x' }, extra: 1 }]],
    [[{ agentId: 'x', orgId: 'x', name: null, orgName: 'x' }]],
    [[{ agentId: 'x', orgId: 'x', name: 'x', orgName: null }]],
  ])('of another form are refused: %j', async (parties) => {
    expect(await verify(parties)).toMatchObject({
      verdict: 'invalid',
      brokenAt: { class: 'CHAIN_COSE_DECODE_FAILED' },
    });
  });
});
