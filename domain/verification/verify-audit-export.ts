import { isObject, type JsonObject } from '../kernel/canonical-json.ts';
import { bytesEqual, hashJson } from '../kernel/digest.ts';
import { chainKindOf } from '../vault/chain-key.ts';
import type { AuditExportRecord } from './audit-export.ts';
import type { HubClaim } from './chain-entry.ts';
import { HubKeys } from './hub-keys.ts';
import { readAuditExport, type ReadAuditExport } from './read-audit-export.ts';
import { Findings, type CheckName, type VerificationReport } from './report.ts';
import { SignatureChecks } from '../vault/signatures.ts';
import type { Trust } from './trust.ts';
import { verifyChain, type ChainContext, type ChainOutcome } from './verify-chain.ts';
import { verifyCheckpoint, type CheckpointClaim, type CheckpointRow } from './verify-checkpoint.ts';
import type { KeyOutcome } from './verify-keys.ts';

export interface VerifyOptions {
  readonly trust: Trust;
  /** Accept the first key of the export itself where no key was given. */
  readonly trustEmbedded?: boolean;
  /** Share one among many exports of one hub: its keys and their succession are checked once. */
  readonly keys?: HubKeys;
}

/** The reason given when only the export itself vouches for its keys. */
export const NO_TRUST = 'cannot tell: the trust would rest on the export itself';

/**
 * Verifies an audit export, offline: nothing but these bytes, the trusted keys and the runtime's WebCrypto.
 * Hostile input ends as failures in the report and never as an exception. It may be called any number of times
 * and side by side.
 *
 * Not signed, and so not covered by the answer: `exportedAt`, `canonicalization`, `service.baseUrl`,
 * `service.version`, `verificationGuide`, `minVerifierVersion` of a key, `id` of a checkpoint, and of `record`
 * everything but what `compareRecord` below compares. Checkpoints left out of `checkpoints` do not show either.
 *
 * @param input the file, as bytes or as text; raw, because duplicate members vanish in any other reading
 */
export const verifyAuditExport = async (
  input: Uint8Array | string,
  options: VerifyOptions,
): Promise<VerificationReport> => {
  const findings = new Findings();
  const { trust, trustEmbedded = false } = options;
  if (!trust.given && !trustEmbedded) findings.cannotTell('keySuccession', NO_TRUST);
  const basis = trust.given ? 'out_of_band' : trustEmbedded ? 'embedded' : 'none';
  const document = readAuditExport(input, findings);
  if (!document)
    return findings.report(
      { chainKey: null, entries: 0, head: null, keyIds: [], hubId: null },
      basis,
    );

  const keys = await (options.keys ?? new HubKeys()).verify(document.keyMaterial, trust, findings);
  const context: ChainContext = { ring: keys.ring, signatures: new SignatureChecks(), findings };
  const scope = {
    chainKey: document.chainKey,
    chainKind: chainKindOf(document.chainKey),
    area: 'chain',
    hub: keys.hub,
  } as const;
  const chain = await verifyChain(document.entries, scope, context);
  compareHead(document, chain, keys, findings);
  if (document.record) compareRecord(document.record, document.chainKey, chain, findings);

  const hashes = new Map(
    document.entries.flatMap((row) => (row ? [[row.position, row.hash ?? '']] : [])),
  );
  checkCheckpoints(document, hashes, keys.hub, context);
  await checkCompleteness(document, hashes, chain.head?.position ?? 0, keys.hub, context);
  await context.signatures.settled();
  return findings.report(
    {
      chainKey: document.chainKey,
      entries: chain.entries,
      head: chain.head,
      keyIds: chain.keyIds,
      hubId: keys.hub?.hubId ?? null,
    },
    basis,
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

/** The members of a record that the chain confirms. */
const compareRecord = (
  record: AuditExportRecord,
  chainKey: string,
  { first, newest, latestCompletionId, references }: ChainOutcome,
  findings: Findings,
): void => {
  const place = { chainKey, position: newest?.position ?? null };
  findings.looked('payloadBinding');
  const compare = (member: string, shown: unknown, sealed: unknown): void => {
    if (shown !== (sealed ?? null))
      findings.fail(
        'payloadBinding',
        'chain',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        place,
        `record.${member} is not what the chain says`,
      );
  };
  compare('id', record.id, chainKey);
  compare('criteriaHash', record.criteriaHash, hashJson(record.criteria));
  if (!first || !newest) return;
  const { facts } = newest;
  const { schema, transition } = facts;
  compare('orgId', record.orgId, facts.orgId);
  compare('type', record.type, schema?.type);
  compare('publisher', record.publisher, schema?.publisher);
  compare('contractVersion', record.contractVersion, schema?.version);
  compare('manifestDigest', record.manifestDigest, schema?.manifestDigest);
  compare('status', record.status, transition?.to);
  // While a counter-proposal is on the table, entries bind it; the record keeps the criteria that it began with.
  if (record.counterProposal) {
    compare('criteriaHash', record.criteriaHash, first.criteriaHash);
    compare(
      'counterProposal',
      isObject(record.counterProposal['criteria'])
        ? hashJson(record.counterProposal['criteria'])
        : null,
      facts.criteriaHash,
    );
  } else compare('criteriaHash', record.criteriaHash, facts.criteriaHash);
  compare('principalAgentId', record.principalAgentId, facts.principalAgentId);
  compare('performerAgentId', record.performerAgentId, facts.performerAgentId);
  compare('parentRecordId', record.parentRecordId, first.parentRecordId);
  if (record.onBehalfOf !== undefined)
    compare('onBehalfOf', hashJson(record.onBehalfOf), hashJson(first.onBehalfOf));
  compare('latestCompletionId', record.latestCompletionId, latestCompletionId);
  if (record.references)
    compare('references', hashJson(record.references.map(sealedPart)), hashJson(references));
};

/** The members of a reference that its REFERENCE_ADDED entry holds. */
const sealedPart = ({
  id = null,
  kind = null,
  uri = null,
  digest = null,
  label = null,
}: JsonObject): JsonObject => ({ id, kind, uri, digest, label });

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

/** The closing checkpoint proves that the export holds the chain to its end. */
const checkCompleteness = async (
  document: ReadAuditExport,
  hashes: ReadonlyMap<number, string>,
  last: number,
  hub: HubClaim | null,
  context: ChainContext,
): Promise<void> => {
  const { findings } = context;
  const reading = document.checkpoint && verifyCheckpoint(document.checkpoint, hub, context);
  if (!reading || !(await reading.proven))
    return findings.cannotTell(
      'completeness',
      'cannot tell: no closing checkpoint that holds says where this chain ends',
    );
  compareWithChain(reading.claim, 'completeness', document.chainKey, hashes, findings);
  if (reading.claim.position < last)
    findings.cannotTell(
      'completeness',
      `cannot tell: the closing checkpoint covers ${reading.claim.position} of ${last} entries`,
    );
  findings.looked('completeness');
};

const compareWithChain = (
  claim: CheckpointClaim,
  check: CheckName,
  chainKey: string,
  hashes: ReadonlyMap<number, string>,
  findings: Findings,
): void => {
  const hash = hashes.get(claim.position);
  if (claim.chainKey !== chainKey)
    findings.fail(
      check,
      'checkpoints',
      'CHECKPOINT_CHAIN_MISSING',
      claim,
      'the checkpoint is one of another chain',
    );
  else if (hash === undefined)
    findings.fail(
      check,
      'checkpoints',
      'CHECKPOINT_HEAD_MISMATCH',
      claim,
      `the checkpoint saw ${claim.position} entries; the one at that position is not here`,
    );
  else if (hash !== claim.headHash)
    findings.fail(
      check,
      'checkpoints',
      'CHECKPOINT_HEAD_MISMATCH',
      claim,
      'the entry at that position has another hash',
    );
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
