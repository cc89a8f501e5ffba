import { Type } from 'typebox';
import { FAILURE_CLASSES, type FailureClass } from '../../../domain/verification/report/failure.ts';
import type { Guide } from '../../call/guide.ts';
import { GUIDANCE, nullable, oneOf, orNull, Timestamp, Uuid } from '../../call/schemas.ts';
import type { ViewOf } from '../../call/view-of.ts';
import { MAX_FAULTS, SCAN_REASONS } from '../../ports/scan-result.ts';
import { stateOf, type VaultScan } from '../../ports/vault-scan.ts';

const State = oneOf(
  ['created', 'completed'],
  'created: it waits or runs; completed: it came to its end, or was given up',
);
const count = (description: string) => Type.Integer({ minimum: 0, description });

const BrokenSchema = Type.Object({
  recordId: nullable(Uuid),
  chainKey: Type.String({
    description: 'The chain that is broken, or that speaks for the row that is',
  }),
  position: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Of the entry; null where it is about a row, or about the chain as a whole',
  }),
  reason: oneOf(SCAN_REASONS),
  class: oneOf(Object.keys(FAILURE_CLASSES) as FailureClass[], 'As the verifier names it'),
  detail: Type.String({ description: 'In plain words, with the row that is meant' }),
});

const ResultSchema = Type.Object({
  healthy: count('Chains whose entries hold, and whose rows say what they say'),
  broken: count('The others, those that are gone although something names them included'),
  signatureErrors: count('Entries whose signature could not be verified'),
  brokenRecords: Type.Array(BrokenSchema, {
    maxItems: MAX_FAULTS,
    description: 'What is wrong: the first that was found, some of each chain',
  }),
  omitted: count('What is wrong besides, and not listed'),
  entries: count('Entries that were verified'),
  chains: count('Chains that were verified'),
  durationMs: count('How long it took'),
});

const ProgressSchema = Type.Object({
  entries: count('Entries that were verified so far'),
  chains: count('Chains that were begun so far'),
});

export const StartedScanSchema = Type.Object({ jobId: Uuid, state: State, ...GUIDANCE });

export const ScanSchema = Type.Object({
  jobId: Uuid,
  state: State,
  createdAt: Timestamp,
  completedAt: nullable(Timestamp),
  progress: orNull(ProgressSchema),
  result: orNull(ResultSchema),
  failure: nullable(Type.String({ description: 'Why it was given up; null where it was not' })),
  ...GUIDANCE,
});

const READ = 'getVaultScan';

export const startedScanView = (
  scan: VaultScan,
  guide: Guide,
): ViewOf<typeof StartedScanSchema> => ({
  jobId: scan.id,
  state: stateOf(scan),
  suggestion: WAIT,
  nextSteps: guide.steps(readScan(scan.id)),
});

export const scanView = (scan: VaultScan, guide: Guide): ViewOf<typeof ScanSchema> => {
  const { id, createdAt, completedAt, progress, result, failure } = scan;
  const state = stateOf(scan);
  return {
    jobId: id,
    state,
    createdAt,
    completedAt,
    progress,
    result: result && { ...result, brokenRecords: [...result.brokenRecords] },
    failure,
    suggestion: state === 'created' ? WAIT : suggestionOf(scan),
    nextSteps: guide.steps(
      ...(state === 'created'
        ? [readScan(id)]
        : [
            {
              action: 'scan',
              operation: 'startVaultScan',
              input: {},
              description: 'Scan the vault again',
            },
          ]),
    ),
  };
};

/** Also in the examples of the answers. */
export const WAIT = 'Read it until it is completed.';
export const ALL_HEALTHY = 'Every chain holds, and every row says what its chain says.';

const suggestionOf = ({ result }: VaultScan): string =>
  !result
    ? 'The scan was given up: read why in failure, and in the log of the node that ran it.'
    : result.broken === 0
      ? ALL_HEALTHY
      : 'The database was changed behind the service. Nothing more is signed on what is broken. Keep a copy of the database, take a dump, and restore a backup from before the change.';

export const readScan = (jobId: string) => ({
  action: 'read-scan',
  operation: READ,
  input: { jobId },
  description: 'Read how far it is, and what it found',
});
