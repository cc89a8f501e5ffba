import { readFile, writeFile } from 'node:fs/promises';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import type { DemoStep, DemoTour, Entry } from './demo-tour.ts';
import { serviceSource } from './export-source.ts';
import { fetchReceipts } from './fetch-receipts.ts';

/** The export, and what an auditor learns from it without the service. */
export const auditSteps = (tour: DemoTour): readonly DemoStep[] => {
  const { seen } = tour;

  return [
    {
      title: tour.service.isKept
        ? 'The audit trail is exported'
        : 'The audit trail is exported, and the service is stopped',
      run: async () => {
        const document = await tour.service.call<{ chain: { entries: readonly Entry[] } }>(
          'GET',
          `/v1/records/${seen.recordId}/audit-export?evidence=true`,
          seen.principalKey,
          undefined,
          200,
        );
        await writeFile(tour.exported, JSON.stringify(document));
        tour.receipts = await fetchReceipts(
          [seen.recordId],
          serviceSource(tour.service.url, seen.principalKey),
        );
        if (tour.receipts.missing !== null) throw new Error(tour.receipts.missing);
        if (!tour.service.isKept) await tour.service.stop();
        return [
          `${document.chain.entries.length} entries; from here on the file and the fingerprint are enough`,
        ];
      },
    },
    {
      title: 'An auditor verifies it offline, with the key obtained separately',
      run: async () => {
        const { code, stdout, stderr } = await tour.service.run(
          'verify',
          tour.exported,
          '--keys',
          `sha256:${seen.fingerprint}`,
          '--json',
        );
        if (code !== 0)
          throw new Error(`notary verify ended with ${code}: ${stderr}${stdout.slice(0, 500)}`);
        const report = JSON.parse(stdout) as VerificationReport;
        const passed = Object.entries(report.checks)
          .filter(([, check]) => check.result === 'passed')
          .map(([name]) => name);
        return [`valid: ${passed.join(', ')}`];
      },
    },
    {
      title: 'Without a key of its own the verifier does not pretend',
      run: async () => {
        const { code, stdout } = await tour.service.run('verify', tour.exported, '--json');
        if (code !== 2) throw new Error(`notary verify ended with ${code}, not 2`);
        return [(JSON.parse(stdout) as VerificationReport).reasons[0] ?? ''];
      },
    },
    {
      title: 'One byte of a copy is changed, and it shows',
      run: async () => {
        await writeFile(tour.tampered, await oneByteChanged(tour.exported));
        const { code, stdout } = await tour.service.run(
          'verify',
          tour.tampered,
          '--keys',
          `sha256:${seen.fingerprint}`,
          '--json',
        );
        if (code !== 1) throw new Error(`notary verify ended with ${code}, not 1`);
        const { brokenAt } = JSON.parse(stdout) as VerificationReport;
        return [
          `refused: ${brokenAt?.class} at position ${brokenAt?.position}`,
          brokenAt?.detail ?? '',
        ];
      },
    },
  ];
};

/** Changes the coverage in the evidence from 91 to 92: the smallest possible forgery. */
const oneByteChanged = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8');
  const at = text.lastIndexOf('"coverage":91');
  if (at < 0) throw new Error('the export does not hold the evidence');
  return `${text.slice(0, at)}"coverage":92${text.slice(at + '"coverage":91'.length)}`;
};
