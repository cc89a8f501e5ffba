import type { JsonObject } from '../../kernel/canonical-json.ts';
import { bytesEqual, hashJson } from '../../kernel/digest.ts';
import { chainKindOf, PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type { EntryScope, HubClaim } from '../entry/chain-entry.ts';
import { checkCheckpointAges } from '../chain/checkpoint-age.ts';
import type { CoSignatureLedger } from '../co-signature/co-signature-ledger.ts';
import { recheckGates } from '../chain/gate-recheck.ts';
import { compareParties } from './compare-parties.ts';
import { compareRecord } from './compare-record.ts';
import { checkPeer, SealedEntries } from './check-peer.ts';
import { HubKeys } from '../platform/hub-keys.ts';
import { fingerprintIn } from '../keys/key-ring.ts';
import { holdKept } from './kept-beside-export.ts';
import { readAuditExport, type ReadAuditExport } from '../read/read-audit-export.ts';
import { readDocument } from '../read/read-document.ts';
import type { ReceiptsBeside } from './receipts-beside.ts';
import {
  NO_SUBJECT,
  type CheckName,
  type Findings,
  type VerificationReport,
} from '../report/report.ts';
import { reported, tellerFor, type Looked, type VerifyOptions } from './reported.ts';
import { judgeRetiredSince } from './retired-since.ts';
import { sealedManifest } from './sealed-manifest.ts';
import type { LogRow } from '../read/read-proofs.ts';
import { checkTimestamp } from '../entry/timestamp-check.ts';
import { SignatureChecks } from '../../vault/signatures.ts';
import type { TimestampChecker } from '../../vault/timestamp-checker.port.ts';
import { verifyChain, type ChainContext, type ChainOutcome } from '../chain/verify-chain.ts';
import { verifyAcknowledgements } from './verify-acknowledgements.ts';
import { verifyLog, verifyRetirements } from './verify-retirements.ts';
import {
  verifyCheckpoint,
  type CheckpointClaim,
  type CheckpointRow,
} from '../chain/verify-checkpoint.ts';
import type { KeyOutcome } from '../platform/verify-keys.ts';

/**
 * Verifies an audit export, offline: nothing but these bytes, the trusted keys and the runtime's WebCrypto.
 * Hostile input ends as failures in the report and never as an exception. It may be called any number of times
 * and side by side.
 *
 * Not signed, and so not covered by the answer: `exportedAt`, `canonicalization`, `service.baseUrl`,
 * `service.version`, `verificationGuide`, the names in `parties`, `minVerifierVersion` of a key and `id` of a
 * checkpoint. Checkpoints left out of `checkpoints` do not show either, nor what is left out of `acknowledgements`.
 *
 * @param input the file, as bytes or as text; raw, because duplicate members vanish in any other reading
 */
export const verifyAuditExport = (
  input: Uint8Array | string,
  options: VerifyOptions,
): Promise<VerificationReport> =>
  reported(options, async (findings) => {
    const document = readDocument(input, findings);
    if (document && document.kind !== 'audit-export')
      findings.cannotTell('document', 'cannot tell: the file is no audit export');
    return verifyExportDocument(
      document?.kind === 'audit-export' ? document.value : null,
      options,
      findings,
    );
  });

/**
 * The same, of a document that was read already; null where that failed, and was reported.
 *
 * @param options with the co-signatures of the file where the document is one of several in it.
 */
export const verifyExportDocument = async (
  value: JsonObject | null,
  options: VerifyOptions & {
    readonly coSignatures?: CoSignatureLedger;
    readonly receiptsBeside?: ReceiptsBeside;
  },
  findings: Findings,
): Promise<Looked> => {
  const {
    trust,
    keys: known = new HubKeys(),
    kept = [],
    agentKeys = null,
    gates = null,
    timestamps = null,
    coSignatures,
  } = options;
  const document = value && readAuditExport(value, findings);
  if (!document) {
    if (kept.length > 0) findings.unsettle('keptStatements');
    return { subject: { ...NO_SUBJECT, kind: value && 'audit-export' } };
  }
  const keys = await known.verify(document.keyMaterial, trust, findings);
  const { ring } = keys;
  const manifest = sealedManifest(document, findings);
  const signatures = new SignatureChecks();
  const { chainKey } = document;
  const cover = verifyRetirements(document.retirements, chainKey, keys.hub, {
    ring,
    signatures,
    findings,
  });
  const sealed = new SealedEntries();
  const context: ChainContext = {
    ring,
    signatures,
    findings,
    manifest,
    agentKeys,
    cover,
    ...(coSignatures ? { coSignatures } : {}),
    teller: tellerFor(options),
    reader: sealed,
  };
  const scope = {
    chainKey: document.chainKey,
    chainKind: chainKindOf(document.chainKey),
    area: 'chain',
    hub: keys.hub,
  } as const;
  checkKind(scope, findings);
  const losses = verifyAcknowledgements(document.acknowledgements, chainKey, keys.hub, context);
  const chain = await verifyChain(document.entries, scope, context);
  compareHead(document, chain, keys, findings);
  if (document.record)
    compareRecord(
      document.record,
      { chainKey: document.chainKey, position: chain.newest?.position ?? null },
      chain,
      manifest,
      findings,
    );
  compareParties(document, chain, findings);

  const hashes = new Map(
    document.entries.flatMap((row) => (row ? [[row.position, row.hash ?? '']] : [])),
  );
  const headPosition = chain.head?.position ?? 0;
  for (const claim of cover.values())
    compareWithChain(claim, 'checkpoints', chainKey, hashes, findings);
  checkCheckpoints(document, hashes, keys.hub, context);
  const root =
    document.log && document.checkpoint
      ? verifyLog(document.log, document.checkpoint, keys.hub, context)
      : null;
  const stampedAt = document.log && (await checkRound(document.log, timestamps, findings));
  judgeRetiredSince(keys, root === null ? null : stampedAt, findings);
  checkCheckpointAges([document.checkpoint, ...document.checkpoints], document.entries, findings);
  const completeAsOf = await checkCompleteness(document, hashes, headPosition, keys.hub, context);
  const shown = { chain, keys, sealed, manifest, completeAsOf, losses };
  await checkPeer(document, shown, options, findings);
  if (gates)
    await recheckGates(
      chain.judgements,
      {
        chainKey: document.chainKey,
        criteria: agreedCriteria(document, chain),
        manifest,
      },
      gates,
      findings,
    );
  await context.signatures.settled();
  await options.receiptsBeside?.verify(
    document.entries,
    { chainKey, orgId: orgIn(chain), hub: keys.hub, ring, trust },
    findings,
  );
  return {
    kept: await holdKept(
      kept,
      {
        chainKey: document.chainKey,
        hashes,
        headPosition,
        completeAsOf,
        losses,
        ring,
        hub: keys.hub,
      },
      findings,
    ),
    subject: {
      kind: 'audit-export',
      chainKey: document.chainKey,
      entries: chain.entries,
      head: chain.head,
      keyIds: chain.keyIds,
      hubId: keys.hub?.hubId ?? null,
      completeAsOf,
      evidence: chain.evidence,
    },
    story: context.teller
      ? {
          entries: context.teller,
          parties: document.parties ?? [],
          criteria: agreedCriteria(document, chain),
          keys: chain.keyIds.map((keyId) => ({ keyId, fingerprint: fingerprintIn(ring, keyId) })),
        }
      : undefined,
  };
};

const orgIn = ({ first }: ChainOutcome): string | null =>
  typeof first?.orgId === 'string' ? first.orgId : null;

/** @returns when the round existed, as a trusted authority of time stamps says; ISO 8601. */
const checkRound = async (
  { coseSign1, inclusion, timestampToken }: LogRow,
  timestamps: TimestampChecker | null,
  findings: Findings,
): Promise<string | null> => {
  if (!timestampToken) return null;
  const place = { chainKey: PLATFORM_CHAIN, position: inclusion.treeSize };
  const stamp = await checkTimestamp(
    { coseSign1, token: timestampToken, place },
    timestamps,
    findings,
  );
  if (stamp)
    findings.note(
      `its round of checkpoints existed before ${stamp.genTime}, says ${stamp.authority}`,
    );
  return stamp && stamp.genTime;
};

/** Only a record has an audit export; a schema's or the platform's chain passes for none, whatever record it is shown with. */
export const checkKind = ({ chainKey, chainKind }: EntryScope, findings: Findings): void => {
  findings.looked('payloadBinding');
  if (chainKind !== 'record')
    findings.fail(
      'payloadBinding',
      'document',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey, position: null },
      `an audit export is of a record, and this is ${chainKind === null ? 'the chain of nothing' : chainKind === 'admin' ? 'the platform chain' : 'the chain of a schema'}`,
    );
};

const compareHead = (
  document: ReadAuditExport,
  chain: ChainOutcome,
  keys: KeyOutcome,
  findings: Findings,
): void => {
  const place = { chainKey: document.chainKey, position: document.head?.position ?? null };
  if (document.service && keys.hub && document.service.hubId !== keys.hub.hubId)
    findings.fail(
      'payloadBinding',
      'document',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      { chainKey: null, position: null },
      'service.hubId is not the hub of the platform chain',
    );
  if (!document.head || !chain.head) return;
  if (document.head.position !== chain.head.position)
    findings.fail(
      'positions',
      'chain',
      'CHAIN_POSITION_GAP',
      place,
      `the head is shown at position ${document.head.position}, the last entry stands at ${chain.head.position}`,
    );
  else if (document.head.hash !== chain.head.hash)
    findings.fail(
      'hashes',
      'chain',
      'CHAIN_HASH_MISMATCH',
      place,
      'the hash shown for the head is not the one of the last entry',
    );
};

/** The criteria shown, if they are those that the chain binds. */
const agreedCriteria = ({ record }: ReadAuditExport, { facts }: ChainOutcome): JsonObject | null =>
  record && facts && hashJson(record.criteria) === facts.criteriaHash ? record.criteria : null;

/** Every checkpoint of the export belongs to this chain, agrees with it, and stands in the order of the log. */
const checkCheckpoints = (
  document: ReadAuditExport,
  hashes: ReadonlyMap<number, string>,
  hub: HubClaim | null,
  context: ChainContext,
): void => {
  let lastIndex = -1;
  for (const row of document.checkpoints) {
    // The closing checkpoint may stand among the others; it is then checked once.
    const reading =
      document.checkpoint && isSame(row, document.checkpoint)
        ? null
        : verifyCheckpoint(row, hub, context);
    if (row.logIndex <= lastIndex)
      context.findings.fail(
        'checkpoints',
        'checkpoints',
        'CHECKPOINT_LOG_GAP',
        row,
        'the checkpoints are not in ascending order of their log',
      );
    lastIndex = row.logIndex;
    if (reading)
      compareWithChain(reading.claim, 'checkpoints', document.chainKey, hashes, context.findings);
  }
};

/** The closing checkpoint proves that the export holds the chain to its end; gives the time at which it did. */
const checkCompleteness = async (
  document: ReadAuditExport,
  hashes: ReadonlyMap<number, string>,
  last: number,
  hub: HubClaim | null,
  context: ChainContext,
): Promise<string | null> => {
  const { findings } = context;
  const reading = document.checkpoint && verifyCheckpoint(document.checkpoint, hub, context);
  if (!reading || !(await reading.proven)) {
    findings.cannotTell(
      'completeness',
      'cannot tell: no closing checkpoint that holds says where this chain ends',
    );
    return null;
  }
  const agrees = compareWithChain(
    reading.claim,
    'completeness',
    document.chainKey,
    hashes,
    findings,
  );
  if (reading.claim.position < last)
    findings.cannotTell(
      'completeness',
      `cannot tell: the closing checkpoint covers ${reading.claim.position} of ${last} entries`,
    );
  findings.looked('completeness');
  return agrees && reading.claim.position === last ? reading.claim.at : null;
};

/** Whether the chain is the one that the checkpoint saw. */
export const compareWithChain = (
  claim: CheckpointClaim,
  check: CheckName,
  chainKey: string,
  hashes: ReadonlyMap<number, string>,
  findings: Findings,
): boolean => {
  const hash = hashes.get(claim.position);
  if (claim.chainKey === chainKey && hash === claim.headHash) return true;
  if (claim.chainKey !== chainKey)
    findings.fail(
      check,
      'checkpoints',
      'CHECKPOINT_CHAIN_MISSING',
      claim,
      'the checkpoint is one of another chain',
    );
  else
    findings.fail(
      check,
      'checkpoints',
      'CHECKPOINT_HEAD_MISMATCH',
      claim,
      hash === undefined
        ? `the checkpoint saw ${claim.position} entries; the one at that position is not here`
        : 'the entry at that position has another hash',
    );
  return false;
};

const isSame = (a: CheckpointRow, b: CheckpointRow): boolean =>
  bytesEqual(a.coseSign1, b.coseSign1) && SHOWN.every((member) => a[member] === b[member]);

const SHOWN = [
  'logIndex',
  'chainKind',
  'chainKey',
  'position',
  'headHash',
  'signingKeyId',
  'createdAt',
] as const satisfies readonly (keyof CheckpointRow)[];
