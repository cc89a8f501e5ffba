import * as form from '../report/shape.ts';

/** Counts up with every change of the form of an export: a verifier reads the form that it knows and no other. */
export const EXPORT_FORMAT = '1.0';

/** Which members each part of an audit export has, and of which form. */
export const EXPORT_SHAPE: form.Shape = {
  formatVersion: form.oneOfTexts(EXPORT_FORMAT),
  canonicalization: form.oneOfTexts('jcs', 'cde'),
  exportedAt: form.time,
  service: form.object,
  record: form.object,
  manifest: form.object,
  parties: form.list,
  chain: form.object,
  keys: form.list,
  keyStatements: form.list,
  retirements: form.list,
  acknowledgements: form.list,
  checkpoint: form.optional(form.formOrNull(form.object)),
  checkpoints: form.list,
  log: form.formOrNull(form.object),
  // Exports of earlier versions have none.
  federation: form.optional(form.formOrNull(form.object)),
  verificationGuide: form.object,
};
export const SERVICE_SHAPE: form.Shape = {
  baseUrl: form.text,
  hubId: form.text,
  version: form.text,
};
export const GUIDE_SHAPE: form.Shape = {
  summary: form.text,
  steps: form.texts,
  evidenceBinding: form.text,
  commands: form.texts,
  verifier: form.text,
};
export const PARTY_SHAPE: form.Shape = {
  agentId: form.text,
  orgId: form.text,
  name: form.text,
  orgName: form.text,
};
/** Of a federated record: its party on another hub has no name here, and its org may not be known. */
export const FEDERATED_PARTY_SHAPE: form.Shape = {
  agentId: form.text,
  orgId: form.formOrNull(form.text),
  name: form.formOrNull(form.text),
  orgName: form.formOrNull(form.text),
};
export const CHAIN_SHAPE: form.Shape = {
  chainKey: form.text,
  head: form.object,
  entries: form.list,
};
export const HEAD_SHAPE: form.Shape = { position: form.position, hash: form.hash };
export const RECORD_SHAPE: form.Shape = {
  id: form.text,
  orgId: form.text,
  type: form.text,
  publisher: form.text,
  contractVersion: form.integer,
  manifestDigest: form.hash,
  status: form.text,
  criteria: form.object,
  criteriaHash: form.hash,
  principalAgentId: form.text,
  performerAgentId: form.formOrNull(form.text),
  parentRecordId: form.formOrNull(form.text),
  latestCompletionId: form.formOrNull(form.text),
  createdAt: form.time,
  platform: form.text,
  platformRef: form.formOrNull(form.text),
  gateMode: form.text,
  operatingMode: form.text,
  rootRecordId: form.text,
  depth: form.count,
  awaiting: form.formOrNull(form.text),
  revisionCount: form.count,
  maxRevisions: form.count,
  cancelledBy: form.formOrNull(form.text),
  disputed: form.flag,
  openDisputeId: form.formOrNull(form.text),
  disputeCount: form.count,
  counterProposal: form.formOrNull(form.object),
  references: form.objects,
  onBehalfOf: form.formOrNull(form.object),
  federation: form.formOrNull(form.object),
  expiresAt: form.formOrNull(form.time),
  activatedAt: form.formOrNull(form.time),
  terminalAt: form.formOrNull(form.time),
  updatedAt: form.time,
};
export const ENTRY_SHAPE: form.Shape = {
  position: form.position,
  entryType: form.text,
  hash: form.hash,
  previousHash: form.hash,
  signingKeyId: form.keyId,
  algorithm: form.text,
  createdAt: form.time,
  coseSign1: form.text,
  statement: form.object,
  evidence: form.optional(form.anything),
  content: form.optional(form.object),
  request: form.optional(form.text),
};
export const KEY_SHAPE: form.Shape = {
  keyId: form.keyId,
  algorithm: form.text,
  coseAlgorithm: form.integer,
  publicKey: form.text,
  publicKeyRaw: form.text,
  status: form.oneOfTexts('active', 'retired'),
  activatedAt: form.time,
  retiredAt: form.formOrNull(form.time),
  minVerifierVersion: form.version,
};
export const KEY_STATEMENT_SHAPE: form.Shape = {
  keyId: form.keyId,
  statement: form.oneOfTexts('activated', 'retired'),
  position: form.position,
  coseSign1: form.text,
};
export const CHECKPOINT_SHAPE: form.Shape = {
  id: form.text,
  logIndex: form.count,
  chainKind: form.oneOfTexts('record', 'schema', 'admin'),
  chainKey: form.text,
  position: form.position,
  headHash: form.hash,
  signingKeyId: form.keyId,
  createdAt: form.time,
  coseSign1: form.text,
};
export const RETIREMENT_SHAPE: form.Shape = {
  keyId: form.keyId,
  checkpoint: form.object,
  inclusion: form.object,
};
export const ACKNOWLEDGEMENT_SHAPE: form.Shape = {
  position: form.position,
  coseSign1: form.text,
};
export const LEAF_SHAPE: form.Shape = { logIndex: form.count, coseSign1: form.text };
export const LOG_SHAPE: form.Shape = {
  coseSign1: form.text,
  inclusion: form.object,
  timestampToken: form.optional(form.text),
};
export const INCLUSION_SHAPE: form.Shape = {
  leafIndex: form.count,
  treeSize: form.count,
  path: form.hashes,
};
export const FEDERATION_SHAPE: form.Shape = {
  role: form.oneOfTexts('home', 'mirror'),
  peerHubId: form.text,
  peerRecordId: form.formOrNull(form.text),
  vaultRoot: form.hash,
  keyStatements: form.list,
  statements: form.list,
};
export const MESSAGE_SHAPE: form.Shape = {
  direction: form.oneOfTexts('out', 'in'),
  sequence: form.position,
  coseSign1: form.text,
  entries: form.texts,
  attestation: form.formOrNull(form.text),
};
