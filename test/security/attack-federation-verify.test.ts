import { beforeAll, describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { AuditExport, AuditExportMessage } from '../../domain/verification/audit-export.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { TwoHubs, type TestSide } from '../support/two-hubs.ts';

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

describe('somebody who shortens the list of statements of a genuine file', () => {
  let hubs: TwoHubs;
  let home: AuditExport;
  let mirror: AuditExport;
  beforeAll(async () => {
    hubs = await (await TwoHubs.start()).run();
    // The files are closed so long after that nothing can still be under way.
    hubs.home.hub.pass(1_000_000);
    hubs.mirror.hub.pass(1_000_000);
    home = await hubs.export(hubs.home);
    mirror = await hubs.export(hubs.mirror);
  }, 60_000);

  it('finds both files whole before', async () => {
    expect((await both(hubs, home, mirror)).exitCode).toBe(0);
  });

  const lastOut = (statements: readonly AuditExportMessage[]) =>
    statements.findLastIndex(({ direction }) => direction === 'out');
  const cuts: Readonly<
    Record<string, (statements: readonly AuditExportMessage[]) => readonly AuditExportMessage[]>
  > = {
    'the last that was sent': (statements) => statements.toSpliced(lastOut(statements), 1),
    'all that were sent': (statements) => statements.filter(({ direction }) => direction === 'in'),
  };
  it.each(Object.entries(cuts))('%s: neither file accuses a hub', async (_name, cut) => {
    for (const [side, file] of [
      [hubs.home, home],
      [hubs.mirror, mirror],
    ] as const) {
      const shortened = withStatements(file, cut);
      const report = await alone(side, shortened);
      expect([report.failures, report.exitCode]).toEqual([[], 2]);
      expect(report.reasons.join()).toContain('is not whole in this file');
      const isHome = side === hubs.home;
      const held = await both(hubs, isHome ? shortened : home, isHome ? mirror : shortened);
      expect([held.report.failures, held.peer.failures, held.exitCode]).toEqual([[], [], 2]);
    }
  });

  it('entries that were sent with one: cannot tell', async () => {
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

describe('a peer whose message was refused', () => {
  it('spoils the file of the hub that refused it by no garbage, and is not accused by it either', async () => {
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
      const held = await both(hubs, spoilt, await hubs.export(hubs.mirror));
      expect([held.report.failures, held.peer.failures]).toEqual([[], []]);
    }
  });

  it('hides nothing by it where the message was applied', async () => {
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
