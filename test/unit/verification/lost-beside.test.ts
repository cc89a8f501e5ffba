import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { compareSides } from '../../../domain/verification/formats/compare-sides.ts';
import type {
  FederatedSide,
  SideEntry,
} from '../../../domain/verification/federation/federated-side.ts';
import { Findings, NO_SUBJECT } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TwoHubs, type TestSide } from '../../support/hubs/two-hubs.ts';

const NEVER = '2999-01-01T00:00:00.000Z';

describe('two files that part', () => {
  let home: FederatedSide;
  let mirror: FederatedSide;
  beforeAll(async () => {
    const hubs = await (await TwoHubs.start()).run();
    const sideOf = async (side: TestSide): Promise<FederatedSide> => {
      const sides: FederatedSide[] = [];
      const sha256Hex = fingerprintOf(publicKeyFromSpki(side.hub.spki));
      await verifyFile(JSON.stringify(await hubs.export(side)), {
        trust: trustOf({ kind: 'fingerprint', sha256Hex }),
        tellSide: (one) => sides.push(one),
      });
      return sides[0]!;
    };
    [home, mirror] = [await sideOf(hubs.home), await sideOf(hubs.mirror)];
  });

  const found = (a: FederatedSide, b: FederatedSide) => {
    const findings = new Findings();
    compareSides(a, b, findings);
    return findings.report(NO_SUBJECT, 'out_of_band');
  };
  const at = (side: FederatedSide, entryType: string): SideEntry =>
    side.entries.find((one) => one.entryType === entryType)!;
  /** As if the chain went back to before the entry, and another one was appended. */
  const rewound = (side: FederatedSide, { position }: SideEntry): FederatedSide => ({
    ...side,
    entries: side.entries.map((one) =>
      one.position < position
        ? one
        : { ...one, entryType: 'RECORD_CANCELLED', hash: `other ${one.position}` },
    ),
  });
  const lost = (side: FederatedSide, from: number, acknowledgedAt = NEVER): FederatedSide => ({
    ...side,
    losses: [
      {
        chainKey: side.chainKey,
        lostRange: { from, to: side.entries.length },
        lostHead: '0'.repeat(64),
        checkpoint: '0'.repeat(64),
        reason: null,
        acknowledgedIn: 9,
        acknowledgedAt,
      },
    ],
  });
  const blamed = (a: FederatedSide, b: FederatedSide): readonly string[] => {
    const report = found(a, b);
    expect(report.exitCode).toBe(1);
    return [
      ...new Set(report.failures.map(({ detail }) => /^hub (\S+) signed both/.exec(detail)![1]!)),
    ];
  };

  it('where home contradicts what it sent: home is named, and the mirror by nothing', () => {
    const entry = at(home, 'PROPOSAL_ACCEPTED');
    expect(blamed(rewound(home, entry), mirror)).toEqual([home.hubId]);
    expect(blamed(mirror, rewound(home, entry))).toEqual([home.hubId]);
  });

  it('where the mirror tells otherwise than it was sent: the mirror is named', () => {
    const { position } = at(mirror, 'PROPOSAL_ACCEPTED');
    const lying = {
      ...mirror,
      entries: mirror.entries.map((one) =>
        one.position === position ? { ...one, entryType: 'PROPOSAL_REJECTED' } : one,
      ),
    };
    expect(blamed(home, lying)).toEqual([mirror.hubId]);
    // What home lost later explains nothing that stands before it.
    const own = at(home, 'PROPOSAL_ACCEPTED').position;
    expect(blamed(lost(home, own + 1), lying)).toEqual([mirror.hubId]);
    expect(blamed(home, lost(lying, position + 1))).toEqual([mirror.hubId]);
  });

  it.each(['home', 'mirror'] as const)(
    'where a platform key of the %s said so: it cannot be told, and the range is named',
    (name) => {
      const side = name === 'home' ? home : mirror;
      const other = name === 'home' ? mirror : home;
      const entry = at(side, 'PROPOSAL_ACCEPTED');
      const gone = rewound(side, entry);
      const report = found(lost(gone, entry.position), other);
      expect(report.failures).toEqual([]);
      expect(report.exitCode).toBe(2);
      expect(report.reasons.join()).toContain(
        `entries ${entry.position} to ${side.entries.length} of its chain were lost in a rewind`,
      );
      expect(report.reasons.every((reason) => reason.includes(`hub ${side.hubId}`))).toBe(true);
      // Said of a later range, or before the other hub saw what is gone, it excuses nothing.
      expect(blamed(lost(gone, entry.position + 1), other)).toContain(side.hubId);
      expect(blamed(lost(gone, entry.position, '2000-01-01T00:00:00.000Z'), other)).toContain(
        side.hubId,
      );
    },
  );
});
