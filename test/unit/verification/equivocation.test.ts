import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type {
  AuditExport,
  AuditExportMessage,
} from '../../../domain/verification/read/audit-export.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyBothSides } from '../../../domain/verification/verify-both-sides.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { TwoHubs, type TestSide } from '../../support/hubs/two-hubs.ts';

const trustIn = ({ hub }: TestSide) =>
  trustOf({ kind: 'fingerprint', sha256Hex: fingerprintOf(publicKeyFromSpki(hub.spki)) });
const verify = (side: TestSide, file: AuditExport) =>
  verifyFile(JSON.stringify(file), { trust: trustIn(side) });

/** The export with other statements of the peer under the sequence of which there are two. */
const withTwo = (
  file: AuditExport,
  edit: (first: AuditExportMessage, second: AuditExportMessage) => readonly AuditExportMessage[],
): AuditExport => {
  const { statements } = file.federation!;
  const at = statements.findIndex(
    (one, index) => one.direction === 'in' && statements[index + 1]?.sequence === one.sequence,
  );
  const [first, second] = [statements[at]!, statements[at + 1]!];
  return {
    ...file,
    federation: {
      ...file.federation!,
      statements: statements.toSpliced(at, 2, ...edit(first, second)),
    },
  };
};

describe.each(['home', 'mirror'] as const)(
  'a peer that signed two statements, kept by the %s',
  (name) => {
    let hubs: TwoHubs;
    let victim: TestSide;
    let liar: TestSide;
    let file: AuditExport;
    beforeAll(async () => {
      hubs = await (await TwoHubs.start()).run();
      [victim, liar] = name === 'home' ? [hubs.home, hubs.mirror] : [hubs.mirror, hubs.home];
      await hubs.equivocate(liar, 2, { ack: 99 });
      file = await hubs.export(victim);
    });
    const failing = async (
      edit: (
        first: AuditExportMessage,
        second: AuditExportMessage,
      ) => readonly AuditExportMessage[],
    ) => {
      const report = await verify(victim, withTwo(file, edit));
      expect(report.notes.join()).not.toContain('proven');
      return report.failures.map((failure) => failure.class);
    };

    it('is proven to have done so by this file, which is valid', async () => {
      const report = await verify(victim, file);
      expect(report.failures).toEqual([]);
      expect(report.exitCode).toBe(0);
      const proven = report.notes.find((note) => note.startsWith('proven'));
      expect(proven).toContain(`hub ${liar.hub.hubId} signed two different statements 2`);
      // The whole of it: a report cuts what is longer.
      expect(proven).toMatch(new RegExp(`keys that sha256:${victim.peerRoot} leads to$`));
      expect(report.notes.join()).not.toContain('word of this hub alone: the file holds the first');
    });

    it('is named beside its own file, whichever of the two that one shows', async () => {
      const report = await verifyBothSides(
        { input: JSON.stringify(file), options: { trust: trustIn(victim) } },
        { input: JSON.stringify(await hubs.export(liar)), options: { trust: trustIn(liar) } },
      );
      expect(report).toMatchObject({ exitCode: 1, peer: { verdict: 'valid' } });
      expect(report.report.failures).toMatchObject([
        { class: 'CHAIN_PAYLOAD_BINDING_MISMATCH', chainKey: liar.chain.chainKey },
      ]);
      expect(report.report.failures[0]!.detail).toContain(`hub ${liar.hub.hubId} signed both`);
    });

    it('is accused by the word of one hub alone where the file holds the first only', async () => {
      const report = await verify(
        victim,
        withTwo(file, (first) => [first]),
      );
      expect(report.exitCode).toBe(0);
      expect(report.notes.join()).toContain('is the word of this hub alone');
      expect(report.notes.join()).not.toContain('proven');
    });

    it('is not accused by a statement that it did not sign', async () => {
      const forged = ({ coseSign1 }: AuditExportMessage): string => {
        const bytes = Buffer.from(coseSign1, 'base64');
        bytes[bytes.length - 1]! ^= 1;
        return bytes.toString('base64');
      };
      expect(
        await failing((first, second) => [first, { ...second, coseSign1: forged(second) }]),
      ).toContain('CHAIN_SIGNATURE_INVALID');
    });

    it.each<
      [
        string,
        (first: AuditExportMessage, second: AuditExportMessage) => readonly AuditExportMessage[],
      ]
    >([
      ['by the second alone', (_first, second) => [second]],
      [
        'by the first once more',
        (first, second) => [first, { ...first, attestation: second.attestation }],
      ],
      ['by the two in the wrong order', (first, second) => [second, first]],
      [
        'by each with the answer to the other',
        (first, second) => [
          { ...first, attestation: second.attestation },
          { ...second, attestation: first.attestation },
        ],
      ],
      ['by three', (first, second) => [first, second, second]],
      [
        'by a second that stands unanswered',
        (first, second) => [first, { ...second, attestation: null }],
      ],
      [
        'by entries that nobody kept',
        (first, second) => [first, { ...second, entries: first.entries }],
      ],
    ])('nor %s', async (_what, edit) => {
      expect(await failing(edit)).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    });
  },
);

it('two signatures of one statement are no equivocation', async () => {
  const hubs = await (await TwoHubs.start()).run();
  await hubs.equivocate(hubs.home, 2, { at: hubs.home.hub.now() });
  const report = await verify(hubs.mirror, await hubs.export(hubs.mirror));
  expect(report.exitCode).toBe(1);
  expect(report.failures.map(({ detail }) => detail).join()).toContain(
    'says the same as the first',
  );
});
