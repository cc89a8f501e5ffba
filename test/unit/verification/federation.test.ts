import { beforeAll, describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type {
  AuditExport,
  AuditExportFederation,
  AuditExportMessage,
} from '../../../domain/verification/read/audit-export.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { exportLines } from '../../../application/audit/export-lines.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TestHub } from '../../support/attackers/make-export.ts';
import { verifySignedDump } from '../../support/attackers/signed-dump.ts';
import { TwoHubs, type Lies, type TestSide } from '../../support/hubs/two-hubs.ts';

const trustIn = ({ hub }: TestSide) =>
  trustOf({ kind: 'fingerprint', sha256Hex: fingerprintOf(publicKeyFromSpki(hub.spki)) });
const verify = (side: TestSide, document: AuditExport): Promise<VerificationReport> =>
  verifyAuditExport(JSON.stringify(document), { trust: trustIn(side) });
const verifyBoth = async (hubs: TwoHubs, home?: AuditExport, mirror?: AuditExport) =>
  verifyBothSides(
    {
      input: JSON.stringify(home ?? (await hubs.export(hubs.home))),
      options: { trust: trustIn(hubs.home), story: { maxSteps: 100 } },
    },
    {
      input: JSON.stringify(mirror ?? (await hubs.export(hubs.mirror))),
      options: { trust: trustIn(hubs.mirror), story: { maxSteps: 100 } },
    },
  );

/** The export with another member `federation`. */
const withFederation = (
  document: AuditExport,
  edit: (federation: AuditExportFederation) => Partial<AuditExportFederation>,
): AuditExport => ({
  ...document,
  federation: { ...document.federation!, ...edit(document.federation!) },
});
const withMessage = (
  document: AuditExport,
  direction: 'out' | 'in',
  sequence: number,
  edit: (message: AuditExportMessage) => Partial<AuditExportMessage>,
): AuditExport =>
  withFederation(document, ({ statements }) => ({
    statements: statements.map((one) =>
      one.direction === direction && one.sequence === sequence ? { ...one, ...edit(one) } : one,
    ),
  }));

describe.each(['jcs', 'cde'] as const)('a record on two hubs, %s', (canonicalization) => {
  let hubs: TwoHubs;
  beforeAll(async () => {
    hubs = await (await TwoHubs.start({}, { canonicalization })).run();
  });

  it.each(['home', 'mirror'] as const)('the export of its %s verifies alone', async (name) => {
    const side = hubs[name];
    const report = await verify(side, await hubs.export(side));
    expect(report.failures).toEqual([]);
    expect(report).toMatchObject({
      verdict: 'valid',
      reasons: [],
      checks: { peerSide: { result: 'skipped_no_input' } },
    });
  });

  it('the exports of both verify together, whichever comes first', async () => {
    const both = await verifyBoth(hubs);
    expect(both.report.failures).toEqual([]);
    expect(both.report.reasons).toEqual([]);
    expect(both).toMatchObject({
      verdict: 'valid',
      exitCode: 0,
      peer: { verdict: 'valid' },
      report: { checks: { peerSide: { result: 'passed' } } },
    });
    const turned = await verifyBothSides(
      {
        input: JSON.stringify(await hubs.export(hubs.mirror)),
        options: { trust: trustIn(hubs.mirror) },
      },
      {
        input: JSON.stringify(await hubs.export(hubs.home)),
        options: { trust: trustIn(hubs.home) },
      },
    );
    expect(turned).toMatchObject({ verdict: 'valid', exitCode: 0, timeLine: null });
  });

  it('one time line tells the entries of both chains, each chain in its order', async () => {
    const { timeLine } = await verifyBoth(hubs);
    const steps = timeLine!.steps;
    expect(timeLine!.verified).toBe(true);
    expect(steps).toHaveLength(hubs.home.chain.entries.length + hubs.mirror.chain.entries.length);
    for (const file of ['first', 'other'])
      expect(steps.filter((one) => one.file === file).map(({ position }) => position)).toEqual(
        steps.filter((one) => one.file === file).map((_, index) => index + 1),
      );
    expect(steps.map(({ entryType }) => entryType).slice(0, 6)).toEqual([
      'RECORD_PROPOSED',
      'RECORD_PROPOSED',
      'PEER_STATEMENT_ATTESTED',
      'STEP_OFFERED',
      'PROPOSAL_ACCEPTED',
      'PEER_STATEMENT_ATTESTED',
    ]);
  });
});

describe('an offer that the peer refuses', () => {
  it('verifies alone, by an answer that stands on no chain', async () => {
    const hubs = await TwoHubs.start();
    await hubs.refuseOffer('TYPE_NOT_CAPABLE');
    const report = await verify(hubs.home, await hubs.export(hubs.home));
    expect(report.failures).toEqual([]);
    expect(report.verdict).toBe('valid');
  });

  it('is invalid where no such answer is shown', async () => {
    const hubs = await TwoHubs.start();
    await hubs.refuseOffer('TYPE_NOT_CAPABLE');
    const document = withMessage(await hubs.export(hubs.home), 'out', 1, () => ({
      attestation: null,
    }));
    expect(await verify(hubs.home, document)).toMatchObject({
      verdict: 'invalid',
      brokenAt: { class: 'CHAIN_PAYLOAD_BINDING_MISMATCH' },
    });
  });
});

describe('what one file shows of the other hub', () => {
  let hubs: TwoHubs;
  let home: AuditExport;
  let mirror: AuditExport;
  beforeAll(async () => {
    hubs = await (await TwoHubs.start()).run();
    [home, mirror] = [await hubs.export(hubs.home), await hubs.export(hubs.mirror)];
  });
  const failing = async (document: AuditExport, name: 'home' | 'mirror' = 'home') => {
    const report = await verify(hubs[name], document);
    expect(report).toMatchObject({ verdict: 'invalid', exitCode: 1 });
    return report.failures.map((failure) => failure.class);
  };

  it('is missing, though the chain says of another hub', async () => {
    // Without a peer, all parties are of this hub, and have names.
    expect(await failing({ ...home, federation: null })).toEqual([
      'CHAIN_COSE_DECODE_FAILED',
      'CHAIN_COSE_DECODE_FAILED',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
    ]);
  });

  it('is there, though the chain says of no other hub', async () => {
    const hub = await TestHub.start();
    const document = { ...(await hub.export(await hub.gate())), federation: home.federation };
    const report = await verifyAuditExport(JSON.stringify(document), {
      trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
    });
    expect(report.brokenAt?.class).toBe('CHAIN_PAYLOAD_BINDING_MISMATCH');
  });

  it('is of a role, a hub or a record that the chain does not seal', async () => {
    expect(await failing(withFederation(home, () => ({ role: 'mirror' })))).toContain(
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
    );
    expect(
      await failing(withFederation(home, () => ({ peerHubId: hubs.home.hub.hubId }))),
    ).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    expect(
      await failing(
        withFederation(mirror, () => ({ peerRecordId: mirror.record.id })),
        'mirror',
      ),
    ).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    expect(
      await failing({
        ...home,
        record: { ...home.record, federation: { ...home.record.federation!, detached: 'broken' } },
      }),
    ).toEqual(['CHAIN_PAYLOAD_BINDING_MISMATCH']);
  });

  it('rests on a root that is not the registered one', async () => {
    const forged = await TestHub.start({ number: 1 });
    expect(
      await failing(withFederation(home, () => ({ keyStatements: forged.keyStatements }))),
    ).toContain('CHAIN_KEY_POLICY_VIOLATION');
    expect(await failing(withFederation(home, () => ({ vaultRoot: 'a'.repeat(64) })))).toContain(
      'CHAIN_KEY_POLICY_VIOLATION',
    );
  });

  it("never verifies under the hub's own keys", async () => {
    const document = withFederation(home, () => ({
      keyStatements: home.keyStatements,
      vaultRoot: fingerprintOf(publicKeyFromSpki(hubs.home.hub.spki)),
    }));
    expect(await failing(document)).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
  });

  it('cannot be told where it holds no keys of the peer', async () => {
    const report = await verify(
      hubs.home,
      withFederation(home, () => ({ keyStatements: [] })),
    );
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
  });

  it('has a signature of nobody', async () => {
    const flip = (base64: string): string => {
      const bytes = Buffer.from(base64, 'base64');
      bytes[bytes.length - 1]! ^= 1;
      return encodeBase64(bytes);
    };
    for (const direction of ['out', 'in'] as const)
      expect(
        await failing(
          withMessage(home, direction, 1, ({ coseSign1 }) => ({ coseSign1: flip(coseSign1) })),
        ),
      ).toContain('CHAIN_SIGNATURE_INVALID');
    expect(
      await failing(
        withMessage(home, 'out', 2, ({ attestation }) => ({ attestation: flip(attestation!) })),
      ),
    ).toContain('CHAIN_SIGNATURE_INVALID');
    expect(
      await failing(
        withMessage(home, 'in', 2, ({ entries }) => ({
          entries: entries.map((entry, index) => (index === 0 ? flip(entry) : entry)),
        })),
      ),
    ).toContain('CHAIN_SIGNATURE_INVALID');
  });

  it('attests other bytes, or the answer of another message', async () => {
    const other = (direction: 'out' | 'in', sequence: number) =>
      home.federation!.statements.find(
        (one) => one.direction === direction && one.sequence === sequence,
      )!;
    for (const direction of ['out', 'in'] as const)
      expect(
        await failing(
          withMessage(home, direction, 2, () => ({
            attestation: other(direction, 1).attestation,
          })),
        ),
      ).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
  });

  it('lacks an entry of the peer, or an entry of its own that was sent', async () => {
    const cut = ({ entries }: AuditExportMessage) => ({ entries: entries.slice(1) });
    expect(await failing(withMessage(home, 'in', 2, cut))).toContain('CHAIN_POSITION_GAP');
    expect(await failing(withMessage(home, 'out', 1, () => ({ entries: [] })))).toContain(
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
    );
  });

  it('lacks a message, has one twice, or out of order', async () => {
    const without = (index: number) =>
      withFederation(home, ({ statements }) => ({
        statements: statements.filter((_, at) => at !== index),
      }));
    const count = home.federation!.statements.length;
    for (let index = 0; index < count; index++) {
      const isLastOut = home.federation!.statements[index + 1]?.direction === 'in';
      // The newest that was sent may not have been made yet; of what was received this chain knows.
      if (!isLastOut)
        expect(await failing(without(index))).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    }
    expect(
      await failing(
        withFederation(home, ({ statements }) => ({ statements: statements.toReversed() })),
      ),
    ).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
  });

  it('is not of the form', async () => {
    const asFederation = (value: unknown): AuditExport =>
      ({ ...home, federation: value }) as AuditExport;
    for (const value of [
      {},
      { ...home.federation, extra: 1 },
      { ...home.federation, statements: [{}] },
      { ...home.federation, statements: [{ ...home.federation!.statements[0], entries: ['%'] }] },
    ])
      expect(await failing(asFederation(value))).toContain('CHAIN_COSE_DECODE_FAILED');
  });
});

/** What a lying operator signs: the class, and the hub whose word it is. */
describe('rules of a federated chain, each broken by its operator', () => {
  const lied = async (lies: Lies, name: 'home' | 'mirror'): Promise<string[]> => {
    const hubs = await (await TwoHubs.start(lies)).run();
    const report = await verify(hubs[name], await hubs.export(hubs[name]));
    expect(report).toMatchObject({ verdict: 'invalid', exitCode: 1 });
    return report.failures.map(({ class: failureClass }) => failureClass);
  };
  const at =
    (entryType: string, edit: (predicate: JsonObject) => object) => (predicate: JsonObject) =>
      predicate['entryType'] === entryType ? { ...predicate, ...edit(predicate) } : predicate;

  it.each<[string, 'home' | 'mirror', Lies]>([
    [
      'a projection of another record',
      'home',
      { projection: (p, { name }) => (name === 'home' ? { ...p, recordId: p['toHubId']! } : p) },
    ],
    [
      'a projection to another hub',
      'mirror',
      { projection: (p, { name }) => (name === 'home' ? { ...p, toHubId: p['originHubId']! } : p) },
    ],
    [
      'a projection of another sequence',
      'mirror',
      { projection: (p) => ({ ...p, sequence: Number(p['sequence']) + 1 }) },
    ],
    [
      'a projection about another head',
      'home',
      { projection: (p) => ({ ...p, headHash: 'd'.repeat(64) }) },
    ],
    [
      'an attestation about another hub',
      'mirror',
      {
        attestation: (p, { name, hub }) => (name === 'mirror' ? { ...p, peerHubId: hub.hubId } : p),
      },
    ],
    [
      'an attestation of other bytes',
      'mirror',
      { attestation: (p) => ({ ...p, statementHash: 'e'.repeat(64) }) },
    ],
    [
      'an attestation of another sequence',
      'home',
      { attestation: (p) => ({ ...p, sequence: Number(p['sequence']) + 1 }) },
    ],
    [
      'an applied step that is attested as refused',
      'home',
      {
        attestation: (p, { name }) =>
          name === 'home' ? { ...p, outcome: 'refused', code: 'NO' } : p,
      },
    ],
    [
      'a mirror that does what nobody at home did',
      'mirror',
      { mirrored: at('VERDICT_RENDERED', () => ({ reason: 'The mirror says so.' })) },
    ],
    [
      'an act of the performer that names no step of his',
      'mirror',
      { mirrored: at('PROPOSAL_ACCEPTED', () => ({ peer: undefined })) },
    ],
    [
      'an act that names a step which was never sent',
      'mirror',
      { mirrored: at('PROPOSAL_ACCEPTED', () => ({ peer: { statementHash: 'f'.repeat(64) } })) },
    ],
    [
      'an act of home that names a step which nobody offered',
      'mirror',
      { mirrored: at('VERDICT_RENDERED', () => ({ peer: { statementHash: 'f'.repeat(64) } })) },
    ],
    [
      'another step than was offered',
      'mirror',
      {
        offered: at('STEP_OFFERED', ({ transition }) =>
          (transition as JsonObject)['action'] === 'accept' ? { criteriaHash: 'f'.repeat(64) } : {},
        ),
      },
    ],
    [
      'a mirror that acts by itself',
      'mirror',
      { mirrored: at('VERDICT_RENDERED', () => ({ actor: { kind: 'system' } })) },
    ],
    [
      'a peer that is not the one of the record',
      'mirror',
      {
        mirrored: at('VERDICT_RENDERED', () => ({
          actor: { kind: 'peer', peerHubId: '0190b000-0000-7000-8000-000000000001' },
        })),
      },
    ],
    [
      'a home that takes another completion than was offered',
      'home',
      { applied: at('COMPLETION_SUBMITTED', () => ({ evidenceHash: 'f'.repeat(64) })) },
    ],
    [
      'a signal to the peer that is another than the sealed one',
      'home',
      { signal: (p) => ({ ...p, recommendation: 'RELEASE' }) },
    ],
    [
      'a step that moves the mirror',
      'mirror',
      {
        offered: at('STEP_OFFERED', ({ transition }) => ({
          transition: { ...(transition as JsonObject), to: 'CANCELLED' },
        })),
      },
    ],
    [
      'a step of the service itself',
      'mirror',
      {
        offered: at('STEP_OFFERED', () => ({ actor: { kind: 'system' } })),
      },
    ],
    [
      'a step with members of another',
      'mirror',
      {
        offered: at('STEP_OFFERED', () => ({ cancelledBy: 'performer' })),
      },
    ],
  ])('%s (%s)', async (_name, side, lies) => {
    expect(await lied(lies, side)).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
  });
});

describe('a home that says the performer acted, who never did', () => {
  it("is not borne out by the mirror's own file", async () => {
    const hubs = await TwoHubs.start({
      mirrored: ({ peer: _, ...predicate }) => predicate,
    });
    await hubs.offer();
    await hubs.offerStep('accept');
    await hubs.applyStep('PROPOSAL_ACCEPTED', 'PROPOSED', 'ACTIVE');
    await hubs.tell();
    const report = await verify(hubs.mirror, await hubs.export(hubs.mirror));
    expect(report.verdict).toBe('invalid');
    expect(report.failures.map(({ detail }) => detail).join()).toContain('in peer');
  });
});

describe('a dump with records of two hubs', () => {
  it('verifies on each hub, and names what its operator invented of the peer', async () => {
    const hubs = await (await TwoHubs.start()).run();
    for (const { hub, chain } of [hubs.home, hubs.mirror]) {
      const report = await verifySignedDump(hub, [chain]);
      expect(report.failures).toEqual([]);
      expect(report.verdict).toBe('valid');
    }
    const { home } = hubs;
    const lying = await TwoHubs.start();
    await lying.offer();
    await lying.act('PROPOSAL_ACCEPTED', 'accept', 'PROPOSED', 'ACTIVE', {
      actor: lying.home.peerActor,
    });
    const report = await verifySignedDump(lying.home.hub, [lying.home.chain]);
    expect(report.failures).toMatchObject([
      {
        class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
        detail: 'the peer made 1 entries, and 0 of its statements are attested as applied',
      },
    ]);
    expect(home.chain.entries.length).toBeGreaterThan(6);
  });
});

describe('the lines of an export', () => {
  it('hold the member federation once, and are verified as the document is', async () => {
    const hubs = await (await TwoHubs.start()).run();
    const document = await hubs.export(hubs.home);
    const lines: string[] = [];
    for await (const line of exportLines(document as never)) lines.push(JSON.stringify(line));
    const verifyLines = (text: string) => verifyFile(text, { trust: trustIn(hubs.home) });
    expect(await verifyLines(lines.join('\n'))).toMatchObject({ failures: [], verdict: 'valid' });
    const at = lines.findIndex((line) => line.startsWith('{"kind":"federation"'));
    expect(at).toBeGreaterThan(0);
    const without = lines.filter((_, index) => index !== at);
    const { failures } = await verifyLines(without.join('\n'));
    expect(failures.map((failure) => failure.class)).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    const twice = [...lines.slice(0, at), lines[at]!, ...lines.slice(at)];
    expect((await verifyLines(twice.join('\n'))).brokenAt?.class).toBe('CHAIN_COSE_DECODE_FAILED');
  });
});
