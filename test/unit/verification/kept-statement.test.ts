import { beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64Strict, encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { sha256Hex } from '../../../domain/kernel/digest.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { decodeSign1, encodeSign1 } from '../../../domain/vault/cose-sign1.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import type { FailureClass } from '../../../domain/verification/report/failure.ts';
import { readKeyListing } from '../../../domain/verification/keys/key-listing.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { NO_TRUST } from '../../../domain/verification/formats/reported.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { SIGNED_ONLY } from '../../../domain/verification/formats/verify-kept-statement.ts';
import { TestHub, type TestChain } from '../../support/attackers/make-export.ts';

type Kept = ReturnType<TestHub['kept']>;

const trustOfHub = ({ spki }: TestHub): ReturnType<typeof trustOf> =>
  trustOf({ kind: 'keys', spki: [spki] });

describe.each([
  { algorithm: 'Ed25519', canonicalization: 'jcs' },
  { algorithm: 'ES256', canonicalization: 'cde' },
] as const)('a signed statement alone, $algorithm, $canonicalization', (options) => {
  let hub: TestHub;
  let chain: TestChain;
  let kept: Kept;
  beforeAll(async () => {
    hub = await TestHub.start(options);
    chain = await hub.gate();
    kept = hub.kept(chain, 2);
  });
  const verify = (value: unknown): Promise<VerificationReport> =>
    verifyFile(JSON.stringify(value), { trust: trustOfHub(hub) });

  it('is valid under the keys of the hub, and called signed and no more', async () => {
    const report = await verify(kept);
    expect(report).toMatchObject({
      verdict: 'valid',
      exitCode: 0,
      failures: [],
      reasons: [],
      notes: [SIGNED_ONLY],
      subject: {
        kind: 'signed-statement',
        chainKey: chain.chainKey,
        hubId: hub.hubId,
        keyIds: [hub.signer.keyId],
        completeAsOf: null,
      },
    });
    const passed = Object.entries(report.checks)
      .filter(([, { result }]) => result === 'passed')
      .map(([check]) => check);
    // Nothing about the chain around it.
    for (const check of ['positions', 'links', 'lifecycle', 'completeness', 'checkpoints'])
      expect(passed).not.toContain(check);
    expect(passed).toEqual(
      expect.arrayContaining(['hashes', 'signatures', 'headerBinding', 'payloadBinding', 'actor']),
    );
  });

  it.each<[string, Partial<Kept>, FailureClass]>([
    [
      'chainKey',
      { chainKey: '0190a000-0000-7000-8000-0000000000ff' },
      'CHAIN_COSE_HEADER_MISMATCH',
    ],
    ['position', { position: 3 }, 'CHAIN_COSE_HEADER_MISMATCH'],
    ['entryType', { entryType: 'VERDICT_RENDERED' }, 'CHAIN_PAYLOAD_BINDING_MISMATCH'],
    ['hash', { hash: 'a'.repeat(64) }, 'CHAIN_HASH_MISMATCH'],
    ['previousHash', { previousHash: 'a'.repeat(64) }, 'CHAIN_COSE_HEADER_MISMATCH'],
    ['signingKeyId', { signingKeyId: 'a'.repeat(32) }, 'CHAIN_SIGNING_KEY_DRIFT'],
    [
      'algorithm',
      { algorithm: options.algorithm === 'ES256' ? 'Ed25519' : 'ES256' },
      'CHAIN_ALG_MISMATCH',
    ],
    [
      'canonicalization',
      { canonicalization: options.canonicalization === 'cde' ? 'jcs' : 'cde' },
      'CHAIN_COSE_HEADER_MISMATCH',
    ],
    ['coseSign1', { coseSign1: 'AAAA' }, 'CHAIN_COSE_DECODE_FAILED'],
  ])('whose %s is not the signed one is invalid', async (_member, change, failureClass) => {
    const report = await verify({ ...kept, ...change });
    expect(report).toMatchObject({ verdict: 'invalid', exitCode: 1, notes: [] });
    expect(report.failures.map((failure) => failure.class)).toContain(failureClass);
  });

  it('with a member missing, unknown or of another type is invalid', async () => {
    for (const member of Object.keys(kept)) {
      expect((await verify({ ...kept, [member]: undefined })).verdict, member).toBe('invalid');
      expect((await verify({ ...kept, [member]: [null] })).verdict, member).toBe('invalid');
    }
    expect((await verify({ ...kept, verdict: 'accept' })).verdict).toBe('invalid');
  });

  it('with another signature is invalid', async () => {
    const { protectedBytes, payload, signature } = decodeSign1(decodeBase64Strict(kept.coseSign1)!);
    signature[10]! ^= 1;
    const bytes = encodeSign1(protectedBytes, payload, signature);
    const report = await verify({
      ...kept,
      coseSign1: encodeBase64(bytes),
      hash: sha256Hex(bytes),
    });
    expect(report.failures.map((failure) => failure.class)).toEqual(['CHAIN_SIGNATURE_INVALID']);
  });

  it('of the platform chain is verified as well', async () => {
    const platform = { ...chain, entries: hub.platform };
    expect((await verify(hub.kept(platform, 1))).verdict).toBe('valid');
  });

  it('cannot be told without its key, and the reason says what to give', async () => {
    const text = JSON.stringify(kept);
    const sha256Hex = fingerprintOf(publicKeyFromSpki(hub.spki));
    for (const trust of [
      trustOf({ kind: 'fingerprint', sha256Hex }),
      trustOfHub(await TestHub.start(options)),
      trustOf({ kind: 'none' }),
    ])
      expect(await verifyFile(text, { trust })).toMatchObject({
        verdict: 'cannot_tell',
        exitCode: 2,
        failures: [],
        notes: [],
        checks: { signatures: { count: 1 } },
      });
    expect(
      (await verifyFile(text, { trust: trustOf({ kind: 'fingerprint', sha256Hex }) })).reasons,
    ).toContainEqual(expect.stringContaining('a fingerprint is none'));
    expect((await verifyFile(text, { trust: trustOf({ kind: 'none' }) })).reasons).toContain(
      NO_TRUST,
    );
  });
});

describe('a signed statement alone, by a key that is retired by now', () => {
  let hub: TestHub;
  let kept: Kept;
  beforeAll(async () => {
    hub = await TestHub.start();
    kept = hub.kept(await hub.notarize(), 1);
    await hub.rotate();
  });
  const verify = (keyStatements: JsonValue, statement = kept): Promise<VerificationReport> =>
    verifyFile(JSON.stringify(statement), {
      trust: trustOf(readKeyListing({ data: hub.keys as unknown as JsonValue, keyStatements })),
    });

  it('passes after a retirement on schedule, and the report names the key', async () => {
    const report = await verify(hub.keyStatements as unknown as JsonValue);
    expect(report).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
    expect(report.notes).toEqual([
      `signed by the key ${kept.signingKeyId}, which was retired on schedule`,
      SIGNED_ONLY,
    ]);
  });

  it('cannot be told after one as compromised, or where the listing does not say', async () => {
    const other = await TestHub.start();
    const theirs = other.kept(await other.notarize(), 1);
    await other.rotate({ reason: 'compromised' });
    const trust = trustOf(
      readKeyListing({
        data: other.keys as unknown as JsonValue,
        keyStatements: other.keyStatements as unknown as JsonValue,
      }),
    );
    expect(await verifyFile(JSON.stringify(theirs), { trust })).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      reasons: [expect.stringContaining('retired as compromised')],
    });
    expect(await verify([])).toMatchObject({
      verdict: 'cannot_tell',
      reasons: [expect.stringContaining('does not say why')],
    });
  });

  it('dated after the retirement is CHAIN_KEY_EXPIRED', async () => {
    const leaked = await TestHub.start();
    const { signer } = leaked;
    await leaked.rotate();
    leaked.signer = signer;
    const late = leaked.kept(await leaked.notarize(), 1);
    const report = await verifyFile(JSON.stringify(late), {
      trust: trustOf(
        readKeyListing({
          data: leaked.keys as unknown as JsonValue,
          keyStatements: leaked.keyStatements as unknown as JsonValue,
        }),
      ),
    });
    expect(report).toMatchObject({ verdict: 'invalid', brokenAt: { class: 'CHAIN_KEY_EXPIRED' } });
  });
});

describe('a kept statement beside an export', () => {
  let hub: TestHub;
  let chain: TestChain;
  let genuine: AuditExport;
  beforeAll(async () => {
    hub = await TestHub.start();
    chain = await hub.gate();
    genuine = await hub.export(chain);
  });
  const hold = (
    kept: unknown,
    document: unknown = genuine,
    by: TestHub = hub,
  ): Promise<VerificationReport> =>
    verifyAuditExport(JSON.stringify(document), {
      trust: trustOfHub(by),
      kept: [typeof kept === 'string' ? kept : JSON.stringify(kept)],
    });
  /** The export is what it was, and of the statement nothing can be told. */
  const expectOpen = async (report: Promise<VerificationReport>, detail: RegExp): Promise<void> =>
    expect(await report).toMatchObject({
      verdict: 'valid',
      exitCode: 2,
      failures: [],
      checks: { keptStatements: { result: 'skipped_no_input' } },
      kept: [{ result: 'skipped_no_input', detail: expect.stringMatching(detail) }],
    });

  /** The chain up to a position, with another entry after it: what an operator shows who signed both. */
  const rewritten = async (): Promise<TestChain> => {
    const other: TestChain = {
      ...chain,
      entries: chain.entries.slice(0, 2),
      statements: chain.statements.slice(0, 2),
      checkpoints: [],
      record: { ...chain.record },
    };
    const { completionId, evidenceHash } = chain.statements[1]!.predicate as {
      completionId: string;
      evidenceHash: string;
    };
    await hub.append(
      other,
      'VERDICT_RENDERED',
      { action: 'render-verdict', from: 'ACTIVE', to: 'FAILED' },
      { completionId, evidenceHash, verdict: 'reject' },
    );
    return other;
  };

  it('with the same hash at its position has passed', async () => {
    for (const position of [1, 2, 3])
      expect(await hold(hub.kept(chain, position))).toMatchObject({
        verdict: 'valid',
        exitCode: 0,
        checks: { keptStatements: { result: 'passed', count: 1 } },
        kept: [{ result: 'passed', position, chainKey: chain.chainKey }],
      });
  });

  it('with another hash at its position: CHAIN_HASH_MISMATCH, the operator signed both', async () => {
    const other = await rewritten();
    expect((await hold(hub.kept(other, 2), await hub.export(other))).verdict).toBe('valid');
    expect(await hold(hub.kept(chain, 3), await hub.export(other))).toMatchObject({
      verdict: 'invalid',
      exitCode: 1,
      checks: { keptStatements: { result: 'failed' } },
      failures: [
        {
          class: 'CHAIN_HASH_MISMATCH',
          position: 3,
          detail: expect.stringContaining('the operator signed both'),
        },
      ],
      kept: [{ result: 'failed' }],
    });
  });

  it('beyond the head, more than 300 s older than the closing checkpoint: CHAIN_HASH_MISMATCH', async () => {
    const cut = { ...chain, entries: chain.entries.slice(0, 2), checkpoints: [] };
    const short = (): Promise<AuditExport> => hub.export({ ...cut, record: asDelivered(chain) });
    await expectOpen(hold(hub.kept(chain, 3), await short()), /beyond the head; .* fetch it again/);
    const sealedAt = Date.parse(chain.entries[2]!.at);
    while (Date.parse(hub.now()) < sealedAt + 299_000);
    // 300 s exactly, and one more.
    const [at, beyond] = [await short(), await short()];
    expect(Date.parse(at.checkpoint!.createdAt) - sealedAt).toBe(300_000);
    await expectOpen(hold(hub.kept(chain, 3), at), /beyond the head/);
    expect(await hold(hub.kept(chain, 3), beyond)).toMatchObject({
      verdict: 'invalid',
      failures: [{ class: 'CHAIN_HASH_MISMATCH', position: 3 }],
    });
  });

  it('beyond the head of an export that nothing closes: said so', async () => {
    const cut = { ...chain, entries: chain.entries.slice(0, 2), checkpoints: [] };
    const document = await hub.export({ ...cut, record: asDelivered(chain) });
    expect(await hold(hub.kept(chain, 3), { ...document, checkpoint: null })).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      kept: [{ result: 'skipped_no_input', detail: expect.stringContaining('no closing') }],
    });
  });

  it('of another record: said so', async () => {
    await expectOpen(hold(hub.kept(await hub.notarize(), 1)), /of another record/);
  });

  it('that does not verify, or is none: said so', async () => {
    const kept = hub.kept(chain, 3);
    const stranger = await TestHub.start();
    const theirs = stranger.kept({ ...(await stranger.gate()) }, 3);
    await expectOpen(hold({ ...kept, hash: '0'.repeat(64) }), /does not verify: CHAIN_HASH_MISM/);
    await expectOpen(hold({ ...kept, position: 2 }), /does not verify: CHAIN_COSE_HEADER_MISM/);
    await expectOpen(
      hold({ ...theirs, chainKey: chain.chainKey }),
      /does not verify: signed with the key \w+, which is none/,
    );
    await expectOpen(hold(genuine), /no signed statement: it is an audit export/);
    await expectOpen(hold('{'), /no signed statement: the file is no JSON/);
    await expectOpen(hold(''), /no signed statement: the file is empty/);
  });

  it('leaves the verdict of an invalid export as it is', async () => {
    const broken = { ...genuine, record: { ...genuine.record, status: 'FAILED' } };
    expect(await hold('{', broken)).toMatchObject({ verdict: 'invalid', exitCode: 1 });
    expect(await hold(hub.kept(chain, 3), broken)).toMatchObject({
      verdict: 'invalid',
      exitCode: 1,
      kept: [{ result: 'passed' }],
    });
  });

  it('signed by a key that is retired by now, and not in the chain: said so', async () => {
    const aged = await TestHub.start();
    const before = await aged.notarize();
    const lost = aged.kept(before, 1);
    const pin = trustOfHub(aged);
    await aged.rotate();
    // The same record, begun anew under the new key.
    const after: TestChain = { ...before, entries: [], statements: [], checkpoints: [] };
    await aged.append(after, 'RECORD_RECORDED', { action: 'create', from: null, to: 'RECORDED' });
    const report = await verifyAuditExport(JSON.stringify(await aged.export(after)), {
      trust: pin,
      kept: [JSON.stringify(lost)],
    });
    expect(report).toMatchObject({
      verdict: 'valid',
      exitCode: 2,
      kept: [
        {
          result: 'skipped_no_input',
          detail: expect.stringContaining('either the chain was changed or that key leaked'),
        },
      ],
    });
  });

  it('each of several is judged on its own', async () => {
    const report = await verifyAuditExport(JSON.stringify(genuine), {
      trust: trustOfHub(hub),
      kept: [JSON.stringify(hub.kept(chain, 1)), '{', JSON.stringify(hub.kept(chain, 3))],
    });
    expect(report.kept.map(({ result }) => result)).toEqual([
      'passed',
      'skipped_no_input',
      'passed',
    ]);
    expect(report).toMatchObject({ verdict: 'valid', exitCode: 2 });
  });
});

/** The record as its second entry left it. */
const asDelivered = ({ record, entries }: TestChain): TestChain['record'] => ({
  ...record,
  status: 'ACTIVE',
  awaiting: 'principal',
  terminalAt: null,
  updatedAt: entries[1]!.at,
});
