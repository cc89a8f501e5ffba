import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { coseKeyOf, publicKeyFromSpki, KeyError } from '../../../domain/vault/cose-key.ts';
import type { AuditExport } from '../../../domain/verification/audit-export.ts';
import type { VerificationReport } from '../../../domain/verification/report.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import { trustOf } from '../../../domain/verification/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/verify-audit-export.ts';
import { TestHub, webCryptoSigner } from '../../support/make-export.ts';

const verify = (document: AuditExport, ...spki: Uint8Array[]): Promise<VerificationReport> =>
  verifyAuditExport(JSON.stringify(document), { trust: trustOf({ kind: 'keys', spki }) });
const classesOf = (report: VerificationReport): string[] => [
  ...new Set(report.failures.map((failure) => failure.class)),
];

describe('succession', () => {
  let hub: TestHub;
  let first: Uint8Array;
  let second: Uint8Array;
  let before: AuditExport;
  let across: AuditExport;
  let after: AuditExport;
  beforeAll(async () => {
    hub = await TestHub.start();
    first = hub.spki;
    const old = await hub.notarize();
    const open = hub.chain();
    await hub.append(open, 'RECORD_CREATED', { action: 'create', from: null, to: 'ACTIVE' });
    await hub.rotate({ algorithm: 'ES256' });
    second = hub.spki;
    await hub.append(
      open,
      'RECORD_CANCELLED',
      { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' },
      { cancelledBy: 'principal' },
    );
    before = await hub.export(old);
    across = await hub.export(open);
    after = await hub.export(await hub.gate());
  });

  it('who trusts the first key reaches a later one, of another algorithm', async () => {
    expect(await verify(after, first)).toMatchObject({
      verdict: 'valid',
      failures: [],
      subject: { keyIds: [hub.signer.keyId] },
    });
  });

  it('who trusts a later key alone can verify what it signed', async () => {
    expect(await verify(after, second)).toMatchObject({ verdict: 'valid', failures: [] });
  });

  it('what a retired key signed within its window cannot be told from an export: nothing shows that it was there in time', async () => {
    for (const document of [before, across]) {
      const report = await verify(document, first, second);
      expect(report).toMatchObject({
        verdict: 'cannot_tell',
        exitCode: 2,
        failures: [],
        checks: { keyWindows: { result: 'skipped_no_input' }, signatures: { result: 'passed' } },
      });
      expect(report.reasons.join()).toContain('retired key');
    }
  });

  it('a key older than the trusted one is not reached, but its successor vouches that it was one of the hub', async () => {
    const report = await verify(across, second);
    expect(report).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    expect(report.reasons.join()).toContain('older than the trusted key');
  });

  it('a new key without its own possession signature: CHAIN_SIGNATURE_INVALID', async () => {
    for (const possession of ['', encodeBase64(new Uint8Array(64)), 'no base64']) {
      const broken = await TestHub.start();
      const spki = broken.spki;
      await broken.rotate({ possession });
      const report = await verify(await broken.export(await broken.notarize()), spki);
      expect(report.brokenAt).toMatchObject({ class: 'CHAIN_SIGNATURE_INVALID', position: 2 });
    }
  });

  it('key statements out of order, doubled or cut: never valid', async () => {
    expect(
      classesOf(await verify({ ...after, keyStatements: after.keyStatements.toReversed() }, first)),
    ).toContain('CHAIN_POSITION_GAP');
    expect(
      classesOf(
        await verify(
          { ...after, keyStatements: [...after.keyStatements, after.keyStatements[2]!] },
          first,
        ),
      ),
    ).toContain('CHAIN_POSITION_GAP');
    expect(
      classesOf(await verify({ ...after, keyStatements: after.keyStatements.slice(0, 2) }, first)),
    ).toEqual(['CHAIN_KEY_POLICY_VIOLATION']);
    expect(
      classesOf(await verify({ ...after, keyStatements: after.keyStatements.slice(1) }, first)),
    ).toContain('CHAIN_SIGNATURE_MISSING_KEY');
  });

  it('an activation listed as a retirement, or for another key: CHAIN_PAYLOAD_BINDING_MISMATCH', async () => {
    const [one, two, three] = after.keyStatements;
    expect(
      classesOf(
        await verify(
          { ...after, keyStatements: [one!, { ...two!, statement: 'retired' }, three!] },
          first,
        ),
      ),
    ).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    expect(
      classesOf(
        await verify(
          { ...after, keyStatements: [one!, two!, { ...three!, keyId: hub.signer.keyId }] },
          first,
        ),
      ),
    ).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
  });
});

describe('windows', () => {
  it('an entry dated before its key: CHAIN_KEY_EXPIRED', async () => {
    const hub = await TestHub.start();
    const chain = hub.chain();
    await hub.append(
      chain,
      'RECORD_RECORDED',
      { action: 'create', from: null, to: 'RECORDED' },
      {},
      '2026-11-20T09:00:00.000Z',
    );
    expect((await verify(await hub.export(chain), hub.spki)).failures).toMatchObject([
      { class: 'CHAIN_KEY_EXPIRED', position: 1 },
    ]);
  });

  it('an entry dated after the retirement of its key: CHAIN_KEY_EXPIRED, and CHAIN_KEY_POLICY_VIOLATION as no sealed root can cover it', async () => {
    const hub = await TestHub.start();
    const [old, spki] = [hub.signer, hub.spki];
    await hub.rotate();
    const current = hub.signer;
    hub.signer = old;
    const chain = await hub.notarize();
    hub.signer = current;
    expect((await verify(await hub.export(chain), spki)).failures).toMatchObject([
      { class: 'CHAIN_KEY_EXPIRED', position: 1 },
      { class: 'CHAIN_KEY_POLICY_VIOLATION', position: 1 },
    ]);
  });

  it('a retired key that activates another one: CHAIN_KEY_POLICY_VIOLATION on the platform chain', async () => {
    const hub = await TestHub.start();
    const [old, spki] = [hub.signer, hub.spki];
    await hub.rotate();
    hub.signer = old;
    await hub.rotate({ retire: false });
    const report = await verify(await hub.export(await hub.notarize()), spki);
    expect(report.brokenAt).toMatchObject({ class: 'CHAIN_KEY_POLICY_VIOLATION', position: 4 });
  });

  it('two keys active at once are both good', async () => {
    const hub = await TestHub.start();
    const spki = hub.spki;
    const chain = hub.chain();
    await hub.append(chain, 'RECORD_CREATED', { action: 'create', from: null, to: 'ACTIVE' });
    await hub.rotate({ retire: false });
    await hub.append(chain, 'RECORD_CANCELLED', {
      action: 'cancel',
      from: 'ACTIVE',
      to: 'CANCELLED',
    });
    expect(await verify(await hub.export(chain), spki)).toMatchObject({
      verdict: 'valid',
      failures: [],
    });
  });
});

describe('keys that must not be trusted', () => {
  it('an activated key of small order, even sealed by the hub: CHAIN_KEY_POLICY_VIOLATION', async () => {
    const hub = await TestHub.start();
    const raw = new Uint8Array(32);
    raw[0] = 1; // the neutral element
    const coseKey = encodeBase64(encodeCbor(coseKeyOf({ algorithm: 'Ed25519', raw })));
    const entry = await hub.platformEntry('KEY_ACTIVATED', {
      hubId: hub.hubId,
      keyId: 'a'.repeat(32),
      coseKey,
      possession: '',
    });
    hub.keyStatements.push({
      keyId: 'a'.repeat(32),
      statement: 'activated',
      chainPosition: 2,
      createdAt: entry.at,
      coseSign1: encodeBase64(entry.coseSign1),
    });
    expect((await verify(await hub.export(await hub.notarize()), hub.spki)).failures).toMatchObject(
      [{ class: 'CHAIN_KEY_POLICY_VIOLATION', position: 2 }],
    );
  });

  it('an algorithm that this verifier does not know is a capability gap: exit 2, and never called tampering', async () => {
    const hub = await TestHub.start();
    const spki = hub.spki;
    const keyId = 'b'.repeat(32);
    const coseKey = encodeBase64(
      encodeCbor(
        new Map<number, number | Uint8Array>([
          [1, 7],
          [3, -48],
          [-1, new Uint8Array(1312)],
        ]),
      ),
    );
    const entry = await hub.platformEntry('KEY_ACTIVATED', {
      hubId: hub.hubId,
      keyId,
      coseKey,
      possession: '',
    });
    hub.keyStatements.push({
      keyId,
      statement: 'activated',
      chainPosition: 2,
      createdAt: entry.at,
      coseSign1: encodeBase64(entry.coseSign1),
    });
    hub.keys.unshift({
      keyId,
      algorithm: 'ML-DSA-44' as 'Ed25519',
      coseAlgorithm: -48,
      publicKey: '',
      publicKeyRaw: '',
      status: 'active',
      activatedAt: entry.at,
      retiredAt: null,
      minVerifierVersion: '9.0.0',
    });
    hub.signer = { ...hub.signer, keyId };
    const report = await verify(await hub.export(await hub.notarize()), spki);
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2 });
    expect(classesOf(report)).toEqual(['CHAIN_UNSUPPORTED_ALGORITHM']);
    expect(report.reasons.join()).toContain('does not know every algorithm');
  });

  it('are refused as trust input too', async () => {
    const { publicKey } = await webCryptoSigner('Ed25519');
    const small = new Uint8Array([...publicKey.slice(0, 12), 1, ...new Uint8Array(31)]);
    expect(() => trustOf({ kind: 'keys', spki: [small] })).toThrow(KeyError);
    expect(() => trustOf({ kind: 'keys', spki: [publicKey.slice(1)] })).toThrow(KeyError);
    expect(() => trustOf({ kind: 'fingerprint', sha256Hex: 'ABC' })).toThrow(KeyError);
    expect(trustOf({ kind: 'keys', spki: [] }).given).toBe(false);
    expect(trustOf({ kind: 'keys', spki: [publicKey] }).trusts(publicKeyFromSpki(publicKey))).toBe(
      true,
    );
  });
});
