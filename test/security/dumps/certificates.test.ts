import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';
import { dumpOf, verifySignedDump, verifyUnder } from '../../support/attackers/signed-dump.ts';

const CREATED = { action: 'create', from: null, to: 'ACTIVE' } as const;
const CERT = '0190f000-0000-7000-8000-000000000001';
const ISSUER = '0190f000-0000-7000-8000-000000000002';
const OIDC = { iss: 'https://idp.example', sub: 'workload' };
const MINUTE = 60_000;

describe('an operator who lets an agent act by a certificate', () => {
  let hub: TestHub;
  beforeEach(async () => {
    hub = await TestHub.start();
    await hub.platformEntry('ISSUER_CREATED', {
      orgId: hub.orgId,
      issuerId: ISSUER,
      issuerUrl: OIDC.iss,
    });
  });

  const seconds = (at: string): string => `${at.slice(0, 19)}Z`;
  const later = (at: string, milliseconds: number): string =>
    new Date(Date.parse(at) + milliseconds).toISOString();

  /** For ten minutes. */
  const issue = (change: JsonObject = {}, oidc: JsonObject = OIDC) => {
    const at = hub.now();
    const actor = { kind: 'agent', orgId: hub.orgId, agentId: hub.principal, certId: CERT, oidc };
    return hub.platformEntry(
      'CERT_ISSUED',
      {
        actor,
        orgId: hub.orgId,
        certId: CERT,
        issuerId: ISSUER,
        agentId: hub.principal,
        issuedAt: seconds(at),
        expiresAt: seconds(later(at, 10 * MINUTE)),
        ...change,
      },
      at,
    );
  };
  const revoke = () => {
    const members = { orgId: hub.orgId, issuerId: ISSUER, certIds: [CERT], reason: null };
    return hub.platformEntry('CERT_REVOKED', members);
  };
  const act = async (): Promise<TestChain> => {
    const chain = hub.chain();
    const { apiKeyId: _, ...actor } = hub.actor('principal');
    await hub.append(chain, 'RECORD_CREATED', CREATED, {
      actor: { ...actor, certId: CERT, oidc: OIDC },
    });
    return chain;
  };
  /** The round that closes the dump comes much later. */
  const verified = (chain: TestChain) => {
    hub.pass(60 * MINUTE);
    return verifySignedDump(hub, [chain]);
  };
  const found = (detail: RegExp) => ({
    verdict: 'invalid',
    checks: { actor: { result: 'failed' } },
    failures: [{ class: 'CHAIN_PAYLOAD_BINDING_MISMATCH', detail: expect.stringMatching(detail) }],
  });

  it('is believed where it was issued, and neither expired nor revoked', async () => {
    await issue();
    const chain = await act();
    await revoke();
    expect(await verified(chain)).toMatchObject({ verdict: 'valid', failures: [] });
  });

  it('that was never issued', async () => {
    const chain = await act();
    expect(await verified(chain)).toMatchObject(
      found(/no entry of the platform chain establishes the certificate/),
    );
  });

  it('that was issued to another agent, or to another subject', async () => {
    await issue({}, { ...OIDC, sub: 'somebody else' });
    const chain = await act();
    expect(await verified(chain)).toMatchObject(
      found(/no entry of the platform chain establishes the certificate/),
    );
  });

  it('that was issued later is believed, because the clock may have been ahead', async () => {
    const chain = await act();
    hub.pass(5 * MINUTE);
    await issue();
    expect(await verified(chain)).toMatchObject({ verdict: 'valid', failures: [] });
  });

  it('that had expired or was revoked by the times of two chains is believed, for the same reason', async () => {
    await issue();
    await revoke();
    hub.pass(12 * MINUTE);
    const chain = await act();
    expect(await verified(chain)).toMatchObject({ verdict: 'valid', failures: [] });
  });

  it('is not judged where the dump cannot hold what would say it', async () => {
    const [known, young] = [await hub.notarize(), await act()];
    // The closing round does not cover it, and the platform chain ends before.
    const texts = await dumpOf(hub, [known, young], { uncovered: young });
    expect(await verifyUnder(hub, texts)).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    // The platform chain lost a part that may have held it.
    await hub.platformEntry('REWIND_ACKNOWLEDGED', {
      chainKey: hub.platform[0]!.chainKey,
      lostRange: { from: 2, to: 3 },
      lostHead: toHex(hub.platform[0]!.hash),
      checkpoint: 'a'.repeat(64),
      reason: null,
    });
    expect(await verified(young)).toMatchObject({ verdict: 'valid' });
  });
});
