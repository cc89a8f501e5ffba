import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DemoStep, DemoTour } from './demo-tour.ts';
import { evidencePage } from './evidence-page.ts';

/** What the demo leaves: the record, for somebody who never saw the service. The last step, so that a demo that fails leaves nothing. */
export const evidenceSteps = (tour: DemoTour): readonly DemoStep[] => [
  {
    title: tour.service.isKept
      ? 'The record and its verifier are one file'
      : 'The record and its verifier are one file, which stays',
    run: async () => {
      const page = await tour.evidencePage();
      if (page === null) throw new Error('the page is not built: run npm run build');
      const folder = tour.service.isKept
        ? dirname(tour.exported)
        : await mkdtemp(join(tmpdir(), 'notary-record-'));
      const file = join(folder, 'record.html');
      const exported = await readFile(tour.exported, 'utf8');
      await writeFile(file, evidencePage(page, exported, tour.receipts), { mode: 0o600 });
      return [
        file,
        `open it in a browser, without a network; the fingerprint to give it is sha256:${tour.seen.fingerprint}`,
      ];
    },
  },
];
