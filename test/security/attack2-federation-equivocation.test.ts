import { expect, it } from 'vitest';
import { counterAttestationStatement } from '../../domain/record/record-statement.ts';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { trustOf } from '../../domain/verification/trust.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { BASE } from '../support/make-export.ts';
import { TwoHubs, type TestSide } from '../support/two-hubs.ts';

const trustIn = ({ hub }: TestSide) =>
  trustOf({ kind: 'fingerprint', sha256Hex: fingerprintOf(publicKeyFromSpki(hub.spki)) });

// Both verifications would end VALID, exit 0.
it('a hub does not accuse its peer by the hashes of statements that nobody made', async () => {
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

// Whose word the root of the peer is has to be said.
it('a hub does not invent its peer unseen', async () => {
  const hubs = await (await TwoHubs.start()).run();
  // To who pins home alone, any keys are those of the peer: here none but home ever saw them.
  const report = await verifyFile(JSON.stringify(await hubs.export(hubs.home)), {
    trust: trustIn(hubs.home),
  });
  const said = [...report.notes, ...report.reasons].join();
  expect(report.exitCode === 0 && !said.includes(hubs.home.peerRoot)).toBe(false);
});
