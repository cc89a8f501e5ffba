import { beforeAll, describe, expect, it } from 'vitest';
import { compareSides, isPeerOf } from '../../../domain/verification/formats/compare-sides.ts';
import type {
  FederatedSide,
  SideEntry,
  SideMessage,
} from '../../../domain/verification/federation/federated-side.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { Findings, NO_SUBJECT } from '../../../domain/verification/report/report.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TestHub } from '../../support/attackers/make-export.ts';
import { TwoHubs, type TestSide } from '../../support/hubs/two-hubs.ts';

const trustIn = ({ hub }: TestSide) =>
  trustOf({ kind: 'fingerprint', sha256Hex: fingerprintOf(publicKeyFromSpki(hub.spki)) });

const sideIn = async (side: TestSide, document: AuditExport): Promise<FederatedSide> => {
  const sides: FederatedSide[] = [];
  const report = await verifyFile(JSON.stringify(document), {
    trust: trustIn(side),
    tellSide: (one) => sides.push(one),
  });
  expect(report.failures).toEqual([]);
  return sides[0]!;
};

const both = (hubs: TwoHubs, home: AuditExport, mirror: AuditExport) =>
  verifyBothSides(
    { input: JSON.stringify(home), options: { trust: trustIn(hubs.home) } },
    { input: JSON.stringify(mirror), options: { trust: trustIn(hubs.mirror) } },
  );

describe('each rule about two files, broken alone', () => {
  let home: FederatedSide;
  let mirror: FederatedSide;
  beforeAll(async () => {
    const hubs = await (await TwoHubs.start()).run();
    home = await sideIn(hubs.home, await hubs.export(hubs.home));
    mirror = await sideIn(hubs.mirror, await hubs.export(hubs.mirror));
  });
  const found = (a: FederatedSide, b: FederatedSide) => {
    const findings = new Findings();
    compareSides(a, b, findings);
    return findings.report(NO_SUBJECT, 'out_of_band');
  };
  const withMessage = (
    side: FederatedSide,
    direction: 'out' | 'in',
    sequence: number,
    edit: Partial<SideMessage>,
  ): FederatedSide => ({
    ...side,
    messages: side.messages.map((one) =>
      one.direction === direction && one.sequence === sequence ? { ...one, ...edit } : one,
    ),
  });
  const withEntry = (side: FederatedSide, position: number, edit: Partial<SideEntry>) => ({
    ...side,
    entries: side.entries.map((one) => (one.position === position ? { ...one, ...edit } : one)),
  });
  /** The first failure: its class, and the hub that is named. */
  const blamed = (a: FederatedSide, b: FederatedSide): readonly (string | undefined)[] => {
    const report = found(a, b);
    expect(report.exitCode).toBe(1);
    const { class: failureClass, detail } = report.failures[0]!;
    return [failureClass, /^hub (\S+) (?:signed both|names)/.exec(detail)?.[1]];
  };
  const BOTH = 'CHAIN_PAYLOAD_BINDING_MISMATCH';

  it('nothing is found where both tell the same, in either order', () => {
    for (const report of [found(home, mirror), found(mirror, home)])
      expect(report).toMatchObject({ failures: [], reasons: [], notes: [], exitCode: 0 });
    expect(isPeerOf(home, mirror) && isPeerOf(mirror, home)).toBe(true);
  });

  it('two sides of one hub, of two records or of other hubs are none of one record', () => {
    const other = '0190b000-0000-7000-8000-000000000001';
    expect(isPeerOf(home, home)).toBe(false);
    expect(isPeerOf(home, { ...mirror, hubId: other })).toBe(false);
    expect(isPeerOf(home, { ...mirror, claim: { ...mirror.claim, recordId: other } })).toBe(false);
    expect(isPeerOf(home, { ...mirror, claim: { ...mirror.claim, peerHubId: other } })).toBe(false);
    expect(isPeerOf(home, { ...mirror, chainKey: other })).toBe(false);
    expect(isPeerOf({ ...home, peerRecordId: null }, mirror)).toBe(true);
  });

  it('a payload of one sequence that differs is the word of its sender', () => {
    expect(blamed(withMessage(home, 'out', 2, { payload: 'a' }), mirror)).toEqual([
      BOTH,
      home.hubId,
    ]);
    expect(blamed(home, withMessage(mirror, 'in', 2, { payload: 'a' }))).toEqual([
      BOTH,
      home.hubId,
    ]);
    expect(blamed(withMessage(home, 'in', 1, { payload: 'a' }), mirror)).toEqual([
      BOTH,
      mirror.hubId,
    ]);
  });

  it('an entry that was sent and is another on the chain is the word of its sender', () => {
    expect(blamed(home, withEntry(mirror, 2, { hash: 'b' }))).toEqual([BOTH, mirror.hubId]);
    expect(blamed(withEntry(home, 3, { hash: 'b' }), mirror)).toEqual([BOTH, home.hubId]);
  });

  it('an answer that is not on the chain is the word of who answered', () => {
    const last = mirror.entries.at(-1)!;
    expect(blamed(home, withEntry(mirror, last.position, { hash: 'c' }))).toEqual([
      BOTH,
      mirror.hubId,
    ]);
  });

  it('a step that home applied and nobody offered is the word of the mirror', () => {
    const { position, hash } = mirror.entries.find(
      ({ entryType }) => entryType === 'STEP_OFFERED',
    )!;
    expect(blamed(home, withEntry(mirror, position, { entryType: 'STEP_REFUSED', hash }))).toEqual([
      BOTH,
      mirror.hubId,
    ]);
  });

  it('transitions in another order are the word of the mirror', () => {
    const moving = mirror.entries.filter(({ entryType }) =>
      ['PROPOSAL_ACCEPTED', 'COMPLETION_SUBMITTED'].includes(entryType),
    );
    const [first, second] = moving;
    const turned = {
      ...mirror,
      entries: mirror.entries.map((one) =>
        one === first
          ? { ...second!, position: one.position, hash: one.hash }
          : one === second
            ? { ...first!, position: one.position, hash: one.hash }
            : one,
      ),
    };
    expect(blamed(home, turned)).toEqual([BOTH, mirror.hubId]);
  });

  it('a vault root that is not that of the other hub is the word of who registered it', () => {
    expect(blamed({ ...home, peerRoot: 'd'.repeat(64) }, mirror)).toEqual([
      'CHAIN_KEY_POLICY_VIOLATION',
      home.hubId,
    ]);
  });

  it('another succession of keys is the word of the hub whose keys they are', () => {
    expect(blamed({ ...home, peerKeys: ['e'] }, mirror)).toEqual([BOTH, mirror.hubId]);
  });

  describe('what a file lacks', () => {
    const upTo = (side: FederatedSide, position: number): FederatedSide => ({
      ...side,
      completeAsOf: side.entries[position - 1]!.predicate['at'] as string,
      entries: side.entries.slice(0, position),
      messages: side.messages.filter(({ entries, direction, attestation }) =>
        direction === 'out'
          ? entries.every((one) => one.position! <= position)
          : attestation!.position! <= position,
      ),
    });

    it.each([
      ['the mirror', 4],
      ['the mirror', 1],
    ])('cannot be told where %s is older (up to %i)', (_name, position) => {
      const report = found(home, upTo(mirror, position));
      expect(report).toMatchObject({
        exitCode: 2,
        failures: [],
        checks: { peerSide: { result: 'skipped_no_input' } },
      });
      expect(
        report.reasons.every((reason) => reason.includes(`hub ${mirror.hubId} is too old`)),
      ).toBe(true);
    });

    it('cannot be told where the home is older', () => {
      const report = found(upTo(home, 3), mirror);
      expect(report).toMatchObject({ exitCode: 2, failures: [] });
      expect(report.reasons.join()).toContain(`hub ${home.hubId} is too old`);
    });

    it('cannot be told where a file lacks newer keys of the other hub', () => {
      expect(found({ ...home, peerKeys: [...home.peerKeys, 'f', '1'] }, mirror)).toMatchObject({
        exitCode: 2,
        failures: [],
      });
      expect(found(home, { ...mirror, keys: [...mirror.keys, 'f', '1'] }).exitCode).toBe(0);
    });

    it('is its operator’s word where the file was closed long after', () => {
      const late = { ...upTo(mirror, 4), completeAsOf: '2030-01-01T00:00:00.000Z' };
      expect(blamed(home, late)).toEqual([BOTH, mirror.hubId]);
      const early = { ...upTo(home, 3), completeAsOf: '2030-01-01T00:00:00.000Z' };
      expect(blamed(early, mirror)).toEqual([BOTH, home.hubId]);
    });

    it('is waited for where nobody answered yet', () => {
      const sequence = 4;
      const waiting: FederatedSide = {
        ...home,
        messages: home.messages
          .filter((one) => one.direction === 'in' || one.sequence <= sequence)
          .map((one) =>
            one.direction === 'out' && one.sequence === sequence
              ? { ...one, attestation: null }
              : one,
          ),
      };
      const behind = upTo(
        mirror,
        mirror.entries.findIndex(({ entryType }) => entryType === 'VERDICT_RENDERED'),
      );
      expect(found(waiting, behind)).toMatchObject({
        exitCode: 0,
        notes: ['1 transition of the home has not reached the mirror'],
      });
    });
  });
});

describe('two whole files', () => {
  it('whose mirror was exported earlier cannot be told, and each is valid alone', async () => {
    const hubs = await TwoHubs.start();
    await hubs.offer();
    const early = await hubs.export(hubs.mirror);
    await hubs.offerStep('accept');
    await hubs.applyStep('PROPOSAL_ACCEPTED', 'PROPOSED', 'ACTIVE');
    await hubs.tell();
    const outcome = await both(hubs, await hubs.export(hubs.home), early);
    expect(outcome).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      report: { failures: [] },
      peer: { verdict: 'valid' },
    });
    expect(
      await both(hubs, await hubs.export(hubs.home), await hubs.export(hubs.mirror)),
    ).toMatchObject({ exitCode: 0 });
  });

  it('of a mirror that signed one sequence twice are invalid together, and each is valid alone', async () => {
    const hubs = await TwoHubs.start();
    await hubs.offer();
    await hubs.offerStep('accept');
    const kept = { ...hubs.mirror.out[0]! };
    await hubs.applyStep('PROPOSAL_ACCEPTED', 'PROPOSED', 'ACTIVE');
    hubs.mirror.out[0] = await hubs.signOther(hubs.mirror, kept, { ack: 0 });
    const [home, mirror] = [await hubs.export(hubs.home), await hubs.export(hubs.mirror)];
    for (const [side, document] of [
      [hubs.home, home],
      [hubs.mirror, mirror],
    ] as const)
      expect(await sideIn(side, document)).toBeDefined();
    const outcome = await both(hubs, home, mirror);
    expect(outcome).toMatchObject({ verdict: 'invalid', exitCode: 1, peer: { verdict: 'valid' } });
    expect(outcome.report.failures).toMatchObject([
      {
        class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
        chainKey: hubs.mirror.chain.chainKey,
        detail: `hub ${hubs.mirror.hub.hubId} signed both: statement 1 has another payload in the other file`,
      },
    ]);
  });

  it('of other records, hubs or kinds cannot be told', async () => {
    const hubs = await (await TwoHubs.start()).run();
    const others = await (await TwoHubs.start()).run();
    const home = await hubs.export(hubs.home);
    expect(await both(hubs, home, home)).toMatchObject({ exitCode: 2 });
    const plain = await TestHub.start();
    const alone = JSON.stringify(await plain.export(await plain.gate()));
    const trust = trustOf({ kind: 'keys', spki: [plain.spki] });
    const own = { input: JSON.stringify(home), options: { trust: trustIn(hubs.home) } };
    expect(await verifyBothSides(own, { input: alone, options: { trust } })).toMatchObject({
      exitCode: 2,
      peer: { verdict: 'valid' },
      report: { failures: [] },
    });
    expect(await verifyBothSides({ input: alone, options: { trust } }, own)).toMatchObject({
      exitCode: 2,
      report: { failures: [] },
    });
    expect(await verifyBothSides(own, { input: 'nothing', options: { trust } })).toMatchObject({
      exitCode: 2,
    });
    // The same ids under other keys: each rests on a root that is not the other's.
    const foreign = await both(hubs, home, await others.export(others.mirror));
    expect(foreign.exitCode).not.toBe(0);
  });

  it('are each judged under their own keys: those of the other hub vouch for nothing', async () => {
    const hubs = await (await TwoHubs.start()).run();
    const outcome = await verifyBothSides(
      {
        input: JSON.stringify(await hubs.export(hubs.home)),
        options: { trust: trustIn(hubs.mirror) },
      },
      {
        input: JSON.stringify(await hubs.export(hubs.mirror)),
        options: { trust: trustIn(hubs.home) },
      },
    );
    expect(outcome).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      report: { verdict: 'cannot_tell' },
      peer: { verdict: 'cannot_tell' },
    });
  });
});

describe('keys of the peer that are retired', () => {
  const rotated = async (reason: 'scheduled' | 'compromised') => {
    const hubs = await (await TwoHubs.start()).run();
    await hubs.mirror.hub.rotate({ reason });
    return hubs;
  };

  it('on schedule are named, and the file stays valid', async () => {
    const hubs = await rotated('scheduled');
    const report = await verifyFile(JSON.stringify(await hubs.export(hubs.home)), {
      trust: trustIn(hubs.home),
    });
    expect(report).toMatchObject({ verdict: 'valid', failures: [] });
    expect(report.notes.join()).toContain('retired on schedule');
  });

  it('as compromised: it cannot be told who signed, but for what was signed anew', async () => {
    const hubs = await rotated('compromised');
    const report = await verifyFile(JSON.stringify(await hubs.export(hubs.home)), {
      trust: trustIn(hubs.home),
    });
    expect(report).toMatchObject({ verdict: 'cannot_tell', exitCode: 2, failures: [] });
    expect(report.reasons.join()).toContain('statement 1 of the peer');
    expect(report.reasons.join()).toContain('the answer to statement 1 to the peer');
    await hubs.signAnew(hubs.mirror, 1);
    hubs.home.in.splice(1, 0, { ...hubs.mirror.out[1]!, direction: 'in' });
    const anew = await verifyFile(JSON.stringify(await hubs.export(hubs.home)), {
      trust: trustIn(hubs.home),
    });
    expect(anew).toMatchObject({ verdict: 'cannot_tell', failures: [] });
    expect(anew.reasons.join()).not.toContain('statement 1 of the peer');
    expect(anew.reasons.join()).toContain('statement 2 of the peer');
  });

  it('sign nothing before their time', async () => {
    const hubs = await (
      await TwoHubs.start({
        projection: (sealed, { name }) =>
          name === 'mirror' ? { ...sealed, at: '2020-01-01T00:00:00.000Z' } : sealed,
      })
    ).run();
    const report = await verifyFile(JSON.stringify(await hubs.export(hubs.home)), {
      trust: trustIn(hubs.home),
    });
    expect(report.failures[0]?.class).toBe('CHAIN_KEY_EXPIRED');
  });
});
