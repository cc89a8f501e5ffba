import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import { publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import type { KeyStatement, VaultKey } from '../../domain/vault/key-statement.ts';
import type { Canonicalization } from '../../domain/vault/statement.ts';
import type {
  AuditExport,
  AuditExportAcknowledgement,
  AuditExportCheckpoint,
  AuditExportEntry,
  AuditExportFederation,
  AuditExportKey,
  AuditExportKeyStatement,
  AuditExportParty,
  AuditExportLog,
  AuditExportRetirement,
  AuditExportRecord,
} from '../../domain/verification/read/audit-export.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';

/** The service that the export names as its source. */
export interface ServiceInfo {
  readonly baseUrl: string;
  readonly version: string;
}

/** An export whose entries are read while it is sent. */
export interface StreamedExport extends Omit<AuditExport, 'chain'> {
  readonly chain: Omit<AuditExport['chain'], 'entries'> & {
    readonly entries: AsyncIterable<AuditExportEntry>;
  };
}

/** What an export shows of one record. */
export type StreamedRecord = Pick<
  StreamedExport,
  | 'record'
  | 'manifest'
  | 'parties'
  | 'chain'
  | 'retirements'
  | 'acknowledgements'
  | 'checkpoint'
  | 'checkpoints'
  | 'log'
  | 'federation'
>;

/** What stands once in an export, however many records it holds. */
export type ExportFrame = Omit<StreamedExport, keyof StreamedRecord>;

/** An export of a record and those below it, read while it is sent. */
export interface StreamedTree extends ExportFrame {
  readonly omitted: number;
  readonly records: AsyncIterable<StreamedRecord>;
}

export interface RecordMaterial {
  readonly record: RecordState;
  /** The registered one, which the record pins. */
  readonly manifest: Manifest;
  readonly parties: readonly AuditExportParty[];
  /** All up to the head that the checkpoint covers. */
  readonly entries: AsyncIterable<AuditExportEntry>;
  readonly retirements: readonly AuditExportRetirement[];
  readonly acknowledgements: readonly AuditExportAcknowledgement[];
  readonly checkpoint: Checkpoint;
  readonly log: AuditExportLog | null;
  readonly federation: AuditExportFederation | null;
}

export interface FrameMaterial {
  readonly keys: readonly VaultKey[];
  readonly keyStatements: readonly KeyStatement[];
  readonly exportedAt: string;
  readonly canonicalization: Canonicalization;
  readonly hubId: string;
  readonly service: ServiceInfo;
}

export const exportFrame = (material: FrameMaterial): ExportFrame => ({
  formatVersion: '1.0',
  canonicalization: material.canonicalization,
  exportedAt: material.exportedAt,
  service: {
    baseUrl: material.service.baseUrl,
    hubId: material.hubId,
    version: material.service.version,
  },
  keys: material.keys.map(keyOf),
  keyStatements: material.keyStatements.map(keyStatementOf),
  verificationGuide: guideOf(material.service),
});

export const exportedRecord = ({
  record,
  checkpoint,
  entries,
  ...material
}: RecordMaterial): StreamedRecord => ({
  record: recordOf(record),
  manifest: material.manifest as unknown as JsonObject,
  parties: material.parties,
  chain: {
    chainKey: record.id,
    head: { position: checkpoint.position, hash: toHex(checkpoint.headHash) },
    entries,
  },
  retirements: material.retirements,
  acknowledgements: material.acknowledgements,
  checkpoint: checkpointOf(checkpoint),
  // The closing one is all that the file needs, however many were made before.
  checkpoints: [],
  log: material.log,
  federation: material.federation,
});

/** Of one record, in the order of members that readers expect: the keys before what they sign of the log. */
export const exportOfOne = (frame: ExportFrame, shown: StreamedRecord): StreamedExport => {
  const { keys, keyStatements, verificationGuide, ...head } = frame;
  const { retirements, acknowledgements, checkpoint, checkpoints, log, federation, ...record } =
    shown;
  return {
    ...head,
    ...record,
    keys,
    keyStatements,
    retirements,
    acknowledgements,
    checkpoint,
    checkpoints,
    log,
    federation,
    verificationGuide,
  };
};

export const exportOfTree = (
  frame: ExportFrame,
  omitted: number,
  records: AsyncIterable<StreamedRecord>,
): StreamedTree => {
  const { keys, keyStatements, verificationGuide, ...head } = frame;
  return { ...head, omitted, records, keys, keyStatements, verificationGuide };
};

/** What the chain says of the record, with the content that its hashes stand for. */
const recordOf = (record: RecordState): AuditExportRecord => ({
  id: record.id,
  orgId: record.orgId,
  type: record.schema.type,
  publisher: record.schema.publisher,
  contractVersion: record.schema.version,
  manifestDigest: record.schema.manifestDigest,
  platform: record.platform,
  platformRef: record.platformRef,
  gateMode: record.gateMode,
  operatingMode: record.operatingMode,
  status: record.status,
  criteria: record.criteria,
  criteriaHash: record.criteriaHash,
  principalAgentId: record.principalAgentId,
  performerAgentId: record.performerAgentId,
  parentRecordId: record.parentRecordId,
  rootRecordId: record.rootRecordId,
  depth: record.depth,
  awaiting: record.awaiting,
  revisionCount: record.revisionCount,
  maxRevisions: record.maxRevisions,
  latestCompletionId: record.latestCompletionId,
  cancelledBy: record.cancelledBy,
  disputed: record.disputed,
  openDisputeId: record.openDisputeId,
  disputeCount: record.disputeCount,
  counterProposal: record.counterProposal as unknown as JsonObject | null,
  references: record.references as unknown as readonly JsonObject[],
  onBehalfOf: record.onBehalfOf as unknown as JsonObject | null,
  federation: record.federation && {
    role: record.federation.role,
    peerHubId: record.federation.peerHubId,
    detached: record.federation.detached,
  },
  expiresAt: record.expiresAt,
  createdAt: record.createdAt,
  activatedAt: record.activatedAt,
  terminalAt: record.terminalAt,
  updatedAt: record.updatedAt,
});

const keyOf = (key: VaultKey): AuditExportKey => ({
  keyId: key.keyId,
  algorithm: key.algorithm,
  coseAlgorithm: ALGORITHMS[key.algorithm].cose,
  publicKey: encodeBase64(key.publicKey),
  publicKeyRaw: encodeBase64(publicKeyFromSpki(key.publicKey).raw),
  status: key.status,
  activatedAt: key.activatedAt,
  retiredAt: key.retiredAt,
  minVerifierVersion: ALGORITHMS[key.algorithm].minVerifierVersion,
});

export const keyStatementOf = (statement: KeyStatement): AuditExportKeyStatement => ({
  keyId: statement.keyId,
  statement: statement.statement,
  position: statement.chainPosition,
  coseSign1: encodeBase64(statement.coseSign1),
});

export const checkpointOf = (checkpoint: Checkpoint): AuditExportCheckpoint => ({
  id: checkpoint.id,
  logIndex: checkpoint.logIndex,
  chainKind: checkpoint.chainKind,
  chainKey: checkpoint.chainKey,
  position: checkpoint.position,
  headHash: toHex(checkpoint.headHash),
  signingKeyId: checkpoint.signingKeyId,
  createdAt: checkpoint.createdAt,
  coseSign1: encodeBase64(checkpoint.coseSign1),
});

const guideOf = (service: ServiceInfo): AuditExport['verificationGuide'] => ({
  summary:
    'A SHA-256 hash chain of COSE_Sign1 envelopes over in-toto statements. It verifies offline, with a public key that you obtained apart from this file.',
  steps: [
    'Obtain the public key, or its SHA-256 fingerprint, from somebody you trust and not from this file.',
    'For each entry: SHA-256 of the decoded coseSign1 equals hash, and previousHash equals the hash of the entry before (32 zero bytes at position 1).',
    'For each entry: build the Signature1 structure of RFC 9052 section 4.4 from the protected header as it stands, empty external data and the payload; verify the signature with the key whose id is kid.',
    'The payload is the canonical form of statement; its subject digest is criteriaHash, or evidenceHash for completions and verdicts.',
    'The closing checkpoint, signed by the same key, names the last position and its hash: nothing was cut off before it was made.',
  ],
  evidenceBinding:
    'evidenceHash is the SHA-256 of the RFC 8785 form of evidence, which stands at the COMPLETION_SUBMITTED entry when the export was asked for with evidence=true. criteriaHash is the same of record.criteria. What a dispute said has the same in dispute.contentHash, and a message the SHA-256 of its UTF-8 in messageHash; both stand as content.',
  commands: [
    'notary verify export.json --keys sha256:<fingerprint>',
    `curl -s ${service.baseUrl}/v1/verification-keys > keys.json`,
    'notary verify export.json --keys keys.json',
    'notary show export.json --keys keys.json',
  ],
  verifier: `The command "notary" of the package notary-service, version ${service.version} or newer: it is the program that runs the service, and verifies without a service and without a network. It is in no package registry. Take its source from somebody you trust, not necessarily the operator of ${service.baseUrl}, run "npm ci" in it (Node 20.19 or newer), and call it there as "npx notary". The steps above need no program of ours: any implementation of SHA-256, of RFC 9052 and of the signature algorithm serves.`,
});
