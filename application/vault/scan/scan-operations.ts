import { Type } from 'typebox';
import { Uuid } from '../../call/schemas.ts';
import { operation } from '../../call/operation.ts';
import { GetScan } from './get-scan.ts';
import {
  ALL_HEALTHY,
  readScan,
  ScanSchema,
  scanView,
  StartedScanSchema,
  startedScanView,
  WAIT,
} from './scan-view.ts';
import { StartScan } from './start-scan.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const JOB = '0190b6f2-5a6e-7c3d-8e4f-2a1b3c4d5e6f';

export const startVaultScan = operation({
  id: 'startVaultScan',
  words: {
    summary: 'Scan the vault: verify every chain, and compare the rows with what the chains say',
    description:
      'It runs in the background, aside from the service, on one moment of the database. One at a time over all nodes: a second one is refused with reason VAULT_SCAN_IN_FLIGHT and the jobId of the first.',
    group: 'Vault',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({}, { additionalProperties: false }),
  output: StartedScanSchema,
  result: {
    description: 'The scan was asked for',
    example: { jobId: JOB, state: 'created', suggestion: WAIT, nextSteps: [readScan(JOB)] },
  },
  problems: ['CONFLICT'],
  useCase: StartScan,
  view: (scan, guide) => ({ view: startedScanView(scan, guide) }),
});

export const getVaultScan = operation({
  id: 'getVaultScan',
  words: {
    summary: 'How far a scan is, and what it found',
    description:
      'What is broken is listed as far as 1,000 faults; omitted counts the others. A scan that was given up is completed with a failure and no result.',
    group: 'Vault',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: Type.Object({ jobId: Uuid }, { additionalProperties: false }),
  output: ScanSchema,
  result: {
    description: 'The scan',
    example: {
      jobId: JOB,
      state: 'completed',
      createdAt: '2026-03-01T12:00:00.000Z',
      completedAt: '2026-03-01T12:00:09.000Z',
      progress: { entries: 48210, chains: 20110 },
      result: {
        healthy: 20110,
        broken: 0,
        signatureErrors: 0,
        brokenRecords: [],
        omitted: 0,
        entries: 48210,
        chains: 20110,
        durationMs: 8431,
      },
      failure: null,
      suggestion: ALL_HEALTHY,
      nextSteps: [
        {
          action: 'scan',
          operation: 'startVaultScan',
          input: {},
          description: 'Scan the vault again',
        },
      ],
    },
  },
  problems: ['NOT_FOUND'],
  useCase: GetScan,
  view: (scan, guide) => ({ view: scanView(scan, guide) }),
});
