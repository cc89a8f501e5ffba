import type { Failure } from './failure.ts';
import type { CheckName, CheckResult, VerificationSubject } from './report.ts';
import type { EvidenceKind } from './story.ts';

const CHECK_LABELS: Readonly<Record<CheckName, string>> = {
  document: 'The file has the shape of its kind',
  positions: 'Positions run without a gap',
  genesis: 'The chain begins as a chain begins',
  links: 'Each entry names the hash of the one before',
  hashes: 'Each hash is that of its bytes',
  signatures: 'Each signature holds: of entries, checkpoints and keys',
  headerBinding: 'Each signed header belongs to its place',
  payloadBinding: 'What is shown is what was sealed',
  lifecycle: 'Each transition is one of the lifecycle',
  actor: 'Each entry names its actor',
  keyWindows: 'Each key was active when it signed',
  keySuccession: 'A trusted key reaches every signing key',
  checkpoints: 'Checkpoints agree with the chain',
  completeness: 'The export holds the chain to its end',
  evidenceBinding: 'Evidence and content in the file are what was sealed',
  coSignatures: 'Co-signatures hold',
  receipts: 'Receipts hold',
  timeStamps: 'Time stamps hold',
  orgReads: 'The log of reads holds',
  gates: 'Gates, evaluated again, say what was sealed',
  peerSide: "The peer's side tells the same",
  keptStatements: 'Kept statements stand in the chain',
};

/** What a number behind a check counts; where the entries are counted, it is left out. */
const COUNTED: Partial<Readonly<Record<CheckName, readonly [one: string, many: string]>>> = {
  signatures: ['signature', 'signatures'],
  checkpoints: ['checkpoint', 'checkpoints'],
  orgReads: ['read or checkpoint', 'reads and checkpoints'],
  evidenceBinding: ['piece', 'pieces'],
  receipts: ['receipt', 'receipts'],
  coSignatures: ['co-signature', 'co-signatures'],
  timeStamps: ['time stamp', 'time stamps'],
  gates: ['evaluation', 'evaluations'],
  peerSide: ['comparison', 'comparisons'],
  keptStatements: ['statement', 'statements'],
};

const NOTHING = 'nothing in the file to judge it by';

/** Why a check was skipped: where it looked at nothing, and where what it looked at does not suffice. */
const SKIPPED: Partial<Readonly<Record<CheckName, readonly [none: string, some: string]>>> = {
  keySuccession: [
    'no key from elsewhere leads to those of the file',
    'no key from elsewhere leads to those of the file',
  ],
  keyWindows: [NOTHING, 'a retired key signed; the reasons stand below'],
  completeness: [
    'no closing checkpoint that holds',
    'the closing checkpoint does not cover every entry',
  ],
  evidenceBinding: ['the file holds none', NOTHING],
  coSignatures: [
    'nobody co-signed',
    'of a request without its body only method, path and time show',
  ],
  gates: ['only looked at with --gates', 'the file does not hold all that they judged'],
  receipts: [
    'the file holds none',
    'some are missing, of another service, or by a key that proves nothing; the reasons stand below',
  ],
  timeStamps: ['the file holds none', 'only checked with --tsa-roots'],
  orgReads: ['only a dump holds it', 'the newest checkpoint of a log does not cover every read'],
  peerSide: [
    "only looked at with --with, the other hub's export",
    'the two files do not suffice; the reasons stand below',
  ],
  keptStatements: ['none was given with --kept', 'see below'],
};

/** What is true where the check passed. */
export const labelOf = (check: CheckName, { kind }: VerificationSubject): string =>
  kind === 'dump' && check === 'completeness'
    ? 'Each chain is here up to its newest checkpoint, and nothing beyond'
    : CHECK_LABELS[check];

/** What a check looked at, or why it looked at nothing; empty where there is nothing to add. */
export const noteOf = (check: CheckName, { result, count }: CheckResult): string => {
  if (result === 'skipped_no_input') {
    const [none, some] = SKIPPED[check] ?? [NOTHING, NOTHING];
    return count === 0 ? none : some;
  }
  const [one, many] = COUNTED[check] ?? [];
  return one === undefined ? '' : `${count} ${count === 1 ? one : many}`;
};

/** Where something failed. */
export const placeOf = ({ chainKey, position }: Failure): string =>
  chainKey === null
    ? 'in the file'
    : position === null
      ? `on chain ${chainKey}`
      : `at position ${position} of chain ${chainKey}`;

/** What a file is; the id of its chain follows. */
export const TITLES = {
  'audit-export': 'Audit export of record',
  'signed-statement': 'Signed statement of chain',
  attestation: 'Attestation of record',
  'sigstore-bundle': 'Sigstore bundle of record',
} as const satisfies Record<EvidenceKind, string>;
