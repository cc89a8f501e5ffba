import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { NO_TRUST } from '../../../domain/verification/formats/reported.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';

const NONE = trustOf({ kind: 'none' });

describe.each([
  { algorithm: 'Ed25519', canonicalization: 'jcs' },
  { algorithm: 'Ed25519', canonicalization: 'cde' },
  { algorithm: 'ES256', canonicalization: 'jcs' },
  { algorithm: 'ES256', canonicalization: 'cde' },
] as const)('a genuine export, $algorithm, $canonicalization', (options) => {
  let hub: TestHub;
  let chain: TestChain;
  beforeAll(async () => {
    hub = await TestHub.start(options);
    chain = await hub.gate();
  });

  it('is valid under the key of the hub, and every check that has input passes', async () => {
    const report = await verifyAuditExport(JSON.stringify(await hub.export(chain)), {
      trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
    });
    expect(report.failures).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'valid',
      exitCode: 0,
      reasons: [],
      trust: 'out_of_band',
      brokenAt: null,
    });
    const skipped = Object.entries(report.checks)
      .filter(([, { result }]) => result !== 'passed')
      .map(([check]) => check);
    expect(skipped).toEqual([
      'coSignatures',
      'receipts',
      'timeStamps',
      'orgReads',
      'gates',
      'peerSide',
      'keptStatements',
    ]);
    expect(report.subject).toMatchObject({
      chainKey: chain.chainKey,
      entries: 3,
      head: { position: 3 },
      keyIds: [hub.signer.keyId],
      hubId: hub.hubId,
    });
  });

  it('is valid as bytes, indented, and without evidence', async () => {
    const bytes = new TextEncoder().encode(
      JSON.stringify(await hub.export(chain, { evidence: false }), null, 2),
    );
    const report = await verifyAuditExport(bytes, {
      trust: trustOf({
        kind: 'fingerprint',
        sha256Hex: fingerprintOf(publicKeyFromSpki(hub.spki)),
      }),
    });
    expect(report).toMatchObject({
      verdict: 'valid',
      checks: { evidenceBinding: { result: 'skipped_no_input', count: 0 } },
    });
  });

  it('cannot be told valid without a key from elsewhere, unless the embedded one is to be trusted', async () => {
    const text = JSON.stringify(await hub.export(chain));
    expect(await verifyAuditExport(text, { trust: NONE })).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      reasons: [NO_TRUST],
      failures: [],
      trust: 'none',
      checks: { keySuccession: { result: 'skipped_no_input' } },
    });
    expect(await verifyAuditExport(text, { trust: NONE, trustEmbedded: true })).toMatchObject({
      verdict: 'valid',
      trust: 'embedded',
    });
  });

  it('is invalid, not "cannot tell", where it is broken and no key is given', async () => {
    const document = await hub.export(chain);
    const report = await verifyAuditExport(
      JSON.stringify({ ...document, record: { ...document.record, status: 'FAILED' } }),
      { trust: NONE },
    );
    expect(report).toMatchObject({ verdict: 'invalid', exitCode: 1, reasons: [NO_TRUST] });
  });

  it('cannot be told under the key of another hub, and one sentence names both', async () => {
    const other = await TestHub.start(options);
    const document = await hub.export(chain);
    const text = JSON.stringify(document);
    const trust = trustOf({ kind: 'keys', spki: [other.spki] });
    const report = await verifyAuditExport(text, { trust });
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
    const [own, trusted] = [hub, other].map(
      ({ spki }) => `sha256:${fingerprintOf(publicKeyFromSpki(spki))}`,
    );
    expect(report.reasons).toEqual([
      `cannot tell: signed with ${own}; you trust ${trusted}`,
      `cannot tell: nothing in this file leads from the key you trust to key ${hub.signer.keyId}; if the file is older than your pin, fetch it again`,
    ]);
    expect(report.checks.keySuccession.result).toBe('skipped_no_input');
    // What else is wrong with it still shows.
    expect(await verifyAuditExport(text.replace('"120.50"', '"120.51"'), { trust })).toMatchObject({
      verdict: 'invalid',
      brokenAt: { class: 'CHAIN_PAYLOAD_BINDING_MISMATCH' },
    });
  });
});
