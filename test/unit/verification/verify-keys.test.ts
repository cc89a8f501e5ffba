import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { coseKeyOf, publicKeyFromSpki, KeyError } from '../../../domain/vault/cose-key.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import { wordsOfSituation } from '../../../domain/verification/report/situation-words.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { TestHub, webCryptoSigner } from '../../support/attackers/make-export.ts';

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

  it('what a retired key signed counts only where a root that its retirement seals covers it', async () => {
    for (const document of [before, across]) {
      const report = await verify(document, first, second);
      expect(report).toMatchObject({
        verdict: 'invalid',
        failures: [{ class: 'CHAIN_KEY_POLICY_VIOLATION' }],
        checks: { keyWindows: { result: 'failed' }, signatures: { result: 'passed' } },
      });
    }
  });

  it('a file from before the trusted key cannot be told, and says what to do', async () => {
    const [hubBefore, hubAfter] = [await TestHub.start(), await TestHub.start()];
    const document = await hubBefore.export(await hubBefore.notarize());
    await hubBefore.rotate();
    for (const pins of [[hubBefore.spki], [hubAfter.spki]]) {
      const report = await verify(document, ...pins);
      expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
      expect(report.reasons.join()).toContain('if the file is older than your pin, fetch it again');
    }
  });

  it('of several trusted keys each stands in the succession, else CHAIN_KEY_POLICY_VIOLATION', async () => {
    expect(await verify(after, first, second)).toMatchObject({ verdict: 'valid' });
    const stranger = await TestHub.start();
    expect((await verify(after, first, stranger.spki)).failures).toMatchObject([
      { class: 'CHAIN_KEY_POLICY_VIOLATION', detail: expect.stringContaining('trusted key') },
    ]);
  });

  it('of a listing only active keys are trusted; a file that does not show that a key was retired cannot be told unless the listing says why', async () => {
    const listed = async (document: AuditExport): Promise<VerificationReport> =>
      verifyAuditExport(JSON.stringify(document), {
        trust: trustOf({ kind: 'keys', spki: [second], retired: [first] }),
      });
    expect(await listed(after)).toMatchObject({ verdict: 'valid' });
    const leaked = await TestHub.start();
    const spki = leaked.spki;
    const hiding = await leaked.export(await leaked.notarize());
    await leaked.rotate();
    const report = await verifyAuditExport(JSON.stringify(hiding), {
      trust: trustOf({ kind: 'keys', spki: [leaked.spki], retired: [spki] }),
    });
    expect(report).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    expect(report.reasons.join()).toContain('does not say why');
  });

  it('key statements out of order, doubled or cut: CHAIN_KEY_POLICY_VIOLATION', async () => {
    const { keyStatements } = after;
    for (const changed of [
      keyStatements.toReversed(),
      [...keyStatements, keyStatements[2]!],
      keyStatements.slice(0, 2),
      keyStatements.slice(1),
    ])
      expect((await verify({ ...after, keyStatements: changed }, first)).brokenAt).toMatchObject({
        class: 'CHAIN_KEY_POLICY_VIOLATION',
      });
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
    const { position } = entry;
    hub.keyStatements.push({
      keyId: 'a'.repeat(32),
      statement: 'activated',
      position,
      coseSign1: encodeBase64(entry.coseSign1),
    });
    expect((await verify(await hub.export(await hub.notarize()), hub.spki)).failures).toMatchObject(
      [{ class: 'CHAIN_KEY_POLICY_VIOLATION', position }],
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
    await hub.rotate({ activated: { keyId, coseKey }, retiredBy: { ...hub.signer, keyId } });
    hub.keyStatements[1] = { ...hub.keyStatements[1]!, keyId };
    hub.keys[0] = {
      ...hub.keys[0]!,
      keyId,
      algorithm: 'ML-DSA-44' as 'Ed25519',
      coseAlgorithm: -48,
      publicKey: '',
      publicKeyRaw: '',
    };
    hub.signer = { ...hub.signer, keyId };
    const report = await verify(await hub.export(await hub.notarize()), spki);
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2 });
    expect(classesOf(report)).toEqual(['CHAIN_UNSUPPORTED_ALGORITHM']);
    expect(report.reasons.join()).toContain('does not know every algorithm');
    expect(wordsOfSituation(report, 'page')?.title).toBe(
      'Signed with an algorithm that this verifier does not know',
    );
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
