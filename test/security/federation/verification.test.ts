import { beforeAll, describe, expect, it } from 'vitest';
import { counterAttestationStatement } from '../../../domain/record/record-statement.ts';
import { BASE } from '../../support/attackers/make-export.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type {
  AuditExport,
  AuditExportMessage,
} from '../../../domain/verification/read/audit-export.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TwoHubs, type TestSide } from '../../support/hubs/two-hubs.ts';

const trustIn = ({ hub }: TestSide) =>
  trustOf({ kind: 'fingerprint', sha256Hex: fingerprintOf(publicKeyFromSpki(hub.spki)) });
const alone = (side: TestSide, file: AuditExport) =>
  verifyFile(JSON.stringify(file), { trust: trustIn(side) });
const both = (hubs: TwoHubs, home: AuditExport, mirror: AuditExport) =>
  verifyBothSides(
    { input: JSON.stringify(home), options: { trust: trustIn(hubs.home) } },
    { input: JSON.stringify(mirror), options: { trust: trustIn(hubs.mirror) } },
  );
const withStatements = (
  file: AuditExport,
  edit: (statements: readonly AuditExportMessage[]) => readonly AuditExportMessage[],
): AuditExport => ({
  ...file,
  federation: { ...file.federation!, statements: edit(file.federation!.statements) },
});

describe('a genuine export whose list of statements was shortened', () => {
  let hubs: TwoHubs;
  let home: AuditExport;
  let mirror: AuditExport;
  beforeAll(async () => {
    hubs = await (await TwoHubs.start()).run();
    // The exports are made so much later that no message can be in transit.
    hubs.home.hub.pass(1_000_000);
    hubs.mirror.hub.pass(1_000_000);
    home = await hubs.export(hubs.home);
    mirror = await hubs.export(hubs.mirror);
  });

  it('control: both genuine exports are complete', async () => {
    expect((await both(hubs, home, mirror)).exitCode).toBe(0);
  });

  const lastOut = (statements: readonly AuditExportMessage[]) =>
    statements.findLastIndex(({ direction }) => direction === 'out');
  const cuts: Readonly<
    Record<string, (statements: readonly AuditExportMessage[]) => readonly AuditExportMessage[]>
  > = {
    'the last sent statement': (statements) => statements.toSpliced(lastOut(statements), 1),
    'all sent statements': (statements) => statements.filter(({ direction }) => direction === 'in'),
  };
  it.each(Object.entries(cuts))('does not accuse a hub without %s', async (_name, cut) => {
    for (const [side, file] of [
      [hubs.home, home],
      [hubs.mirror, mirror],
    ] as const) {
      const shortened = withStatements(file, cut);
      const report = await alone(side, shortened);
      expect([report.failures, report.exitCode]).toEqual([[], 2]);
      expect(report.reasons.join()).toContain('is not whole in this file');
      const isHome = side === hubs.home;
      const pairReport = await both(hubs, isHome ? shortened : home, isHome ? mirror : shortened);
      expect([pairReport.report.failures, pairReport.peer.failures, pairReport.exitCode]).toEqual([
        [],
        [],
        2,
      ]);
    }
  });

  it('has no verdict if a statement lacks some of its entries', async () => {
    const shortened = withStatements(home, (statements) =>
      statements.map((one) =>
        one.direction === 'out' && one.entries.length > 1
          ? { ...one, entries: one.entries.slice(1) }
          : one,
      ),
    );
    expect(shortened).not.toEqual(home);
    const report = await alone(hubs.home, shortened);
    expect([report.failures, report.exitCode]).toEqual([[], 2]);
  });
});

describe('an export with garbage among the entries of a message', () => {
  it('is valid and does not accuse the peer if the message was refused', async () => {
    const hubs = await TwoHubs.start();
    await hubs.offer();
    await hubs.offerStep('accept');
    await hubs.refuseStep('BROKEN');
    const genuine = await hubs.export(hubs.home);
    expect((await alone(hubs.home, genuine)).failures).toEqual([]);
    const [entry] = genuine.federation!.statements.at(-1)!.entries;
    const turned = Buffer.from(entry!, 'base64');
    turned[turned.length - 1]! ^= 1;
    for (const garbage of [encodeBase64(turned), encodeBase64(Buffer.from('garbage'))]) {
      const spoilt = withStatements(genuine, (statements) =>
        statements.map((one, index) =>
          index === statements.length - 1 ? { ...one, entries: [...one.entries, garbage] } : one,
        ),
      );
      const report = await alone(hubs.home, spoilt);
      expect(report.failures).toEqual([]);
      expect(report.notes.join()).toMatch(/refused here/);
      const pairReport = await both(hubs, spoilt, await hubs.export(hubs.mirror));
      expect([pairReport.report.failures, pairReport.peer.failures]).toEqual([[], []]);
    }
  });

  it('is invalid if the message was applied', async () => {
    const hubs = await (await TwoHubs.start()).run();
    const genuine = await hubs.export(hubs.home);
    const spoilt = withStatements(genuine, (statements) =>
      statements.map((one) =>
        one.direction === 'in'
          ? { ...one, entries: [encodeBase64(Buffer.from('garbage')), ...one.entries] }
          : one,
      ),
    );
    expect((await alone(hubs.home, spoilt)).exitCode).toBe(1);
  });
});

describe('an export of a hub that lies about its peer', () => {
  it('does not verify if it accuses the peer with hashes of statements that were never made', async () => {
    const hubs = await (await TwoHubs.start()).run();
    const { mirror, home } = hubs;
    const at = mirror.hub.now();
    const entryType = 'PEER_EQUIVOCATION';
    await mirror.hub.appendStatement(
      mirror.chain,
      entryType,
      counterAttestationStatement(BASE, {
        entryType,
        at,
        requestId: mirror.hub.id(),
        actor: { kind: 'system' },
        recordId: mirror.chain.chainKey,
        orgId: mirror.chain.record.orgId,
        peerHubId: home.hub.hubId,
        sequence: 2,
        statementHash: 'ab'.repeat(32),
        otherHash: 'cd'.repeat(32),
        outcome: 'refused',
        code: entryType,
      }),
      at,
    );
    mirror.chain.record.updatedAt = at;
    home.hub.pass(1_000_000);
    mirror.hub.pass(1_000_000);
    const file = JSON.stringify(await hubs.export(mirror));
    const other = JSON.stringify(await hubs.export(home));
    const alone = await verifyFile(file, { trust: trustIn(mirror) });
    const both = await verifyBothSides(
      { input: file, options: { trust: trustIn(mirror) } },
      { input: other, options: { trust: trustIn(home) } },
    );
    expect([alone.exitCode, both.exitCode]).not.toContain(0);
  });

  it('names the root of the peer if only the hub itself vouches for it', async () => {
    const hubs = await (await TwoHubs.start()).run();
    // An auditor who pins home alone cannot know the keys of the peer.
    const report = await verifyFile(JSON.stringify(await hubs.export(hubs.home)), {
      trust: trustIn(hubs.home),
    });
    const text = [...report.notes, ...report.reasons].join();
    expect(report.exitCode === 0 && !text.includes(hubs.home.peerRoot)).toBe(false);
  });
});
