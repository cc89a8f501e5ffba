import {
  canonicalJson,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../kernel/canonical-json.ts';
import { hashJson, hashText } from '../../kernel/digest.ts';
import type { RecordFacts } from '../../record/record-facts.ts';
import type { Manifest } from '../../record-type/manifest.ts';
import type { AuditExportRecord } from '../read/audit-export.ts';
import type { Findings } from '../report/report.ts';
import type { ChainOutcome } from '../chain/verify-chain.ts';

/** What the chain, and the manifest that it seals, say of one member of the shown record. */
type Sealed = (facts: RecordFacts, shown: AuditExportRecord) => unknown;

/** Every member of the record that an audit export shows. One that nothing confirms is not in the format. */
const MEMBERS: { readonly [Member in keyof AuditExportRecord]-?: Sealed } = {
  id: ({ recordId }) => recordId,
  orgId: ({ orgId }) => orgId,
  type: (facts) => facts['schema.type'],
  publisher: (facts) => facts['schema.publisher'],
  contractVersion: (facts) => facts['schema.version'],
  manifestDigest: (facts) => facts['schema.manifestDigest'],
  platform: ({ platform }) => platform,
  platformRef: ({ platformRef }) => platformRef,
  gateMode: ({ gateMode }) => gateMode,
  operatingMode: ({ operatingMode }) => operatingMode,
  status: ({ status }) => status,
  // Bound by its hash, which stands beside it.
  criteria: (_facts, { criteria }) => criteria,
  criteriaHash: ({ criteriaHash }) => criteriaHash,
  principalAgentId: ({ principalAgentId }) => principalAgentId,
  performerAgentId: ({ performerAgentId }) => performerAgentId,
  parentRecordId: ({ parentRecordId }) => parentRecordId,
  rootRecordId: ({ rootRecordId }) => rootRecordId,
  depth: ({ depth }) => depth,
  awaiting: ({ awaiting }) => awaiting,
  revisionCount: ({ revisionCount }) => revisionCount,
  // Compared with the manifest, where the file holds it.
  maxRevisions: (_facts, { maxRevisions }) => maxRevisions,
  latestCompletionId: ({ latestCompletionId }) => latestCompletionId,
  cancelledBy: ({ cancelledBy }) => cancelledBy,
  disputed: ({ disputed }) => disputed,
  openDisputeId: ({ openDisputeId }) => openDisputeId,
  disputeCount: ({ disputeCount }) => disputeCount,
  counterProposal: ({ counterProposal }, { counterProposal: shown }) =>
    counterProposal && sealedCounter(shown ?? {}, counterProposal),
  references: ({ references, recordId }) =>
    references.map((reference) => ({ ...(reference as JsonObject), recordId })),
  onBehalfOf: ({ onBehalfOf }) => onBehalfOf,
  federation: ({ federation }) =>
    isObject(federation)
      ? {
          role: federation['role'] ?? null,
          peerHubId: federation['peerHubId'] ?? null,
          detached: federation['detached'] ?? null,
        }
      : null,
  expiresAt: ({ expiresAt }) => expiresAt,
  createdAt: ({ createdAt }) => createdAt,
  activatedAt: ({ activatedAt }) => activatedAt,
  terminalAt: ({ terminalAt }) => terminalAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

/** With the content as it is shown, where its hash is the sealed one; else false, which no file can show there. */
const sealedCounter = (
  { criteria, message }: JsonObject,
  {
    criteriaHash,
    messageHash,
    proposedBy,
    proposedAt,
  }: NonNullable<RecordFacts['counterProposal']>,
): JsonObject | false => {
  if (!isObject(criteria) || hashJson(criteria) !== criteriaHash) return false;
  if (messageHash === null)
    return { criteria, criteriaHash, message: null, proposedBy, proposedAt };
  if (typeof message !== 'string' || hashText(message) !== messageHash) return false;
  return { criteria, criteriaHash, message, proposedBy, proposedAt };
};

/**
 * Holds the record that a file shows against what its chain says.
 *
 * @param chain without facts where it could not be judged; that was reported.
 */
export const compareRecord = (
  record: AuditExportRecord,
  place: { readonly chainKey: string; readonly position: number | null },
  { facts }: Pick<ChainOutcome, 'facts'>,
  manifest: Manifest | null,
  findings: Findings,
): void => {
  findings.looked('payloadBinding');
  const fail = (member: string): void =>
    findings.fail(
      'payloadBinding',
      'chain',
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      place,
      `record.${member} is not what the chain says`,
    );
  if (record.id !== place.chainKey) fail('id');
  if (record.criteriaHash !== hashJson(record.criteria)) fail('criteria');
  if (manifest && record.maxRevisions !== manifest.maxRevisions) fail('maxRevisions');
  if (!facts) return;
  for (const member of Object.keys(MEMBERS) as (keyof AuditExportRecord)[])
    if (!isSame(record[member], MEMBERS[member](facts, record))) fail(member);
};

const isSame = (shown: unknown, sealed: unknown): boolean => {
  if (shown === sealed) return true;
  if (typeof shown !== 'object' || typeof sealed !== 'object' || !shown || !sealed) return false;
  return canonicalJson(shown as JsonValue) === canonicalJson(sealed as JsonValue);
};
