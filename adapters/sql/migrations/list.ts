import type { Knex } from 'knex';
import { up as instance } from './0001-instance.ts';
import { up as recordsFederation } from './0210-records-federation.ts';
import { up as federationMirrors } from './0211-federation-mirrors.ts';
import { up as federationOutgoing } from './0212-federation-outgoing.ts';
import { up as federationIncoming } from './0213-federation-incoming.ts';
import { up as federationLanes } from './0220-federation-lanes.ts';
import { up as federationBreakers } from './0221-federation-breakers.ts';
import { up as federationOutgoingByPeer } from './0222-federation-outgoing-by-peer.ts';
import { up as federationFormerStatements } from './0224-federation-former-statements.ts';
import { up as locks } from './0002-locks.ts';
import { up as orgs } from './0003-orgs.ts';
import { up as agents } from './0004-agents.ts';
import { up as apiKeys } from './0005-api-keys.ts';
import { up as publishers } from './0006-publishers.ts';
import { up as recordTypes } from './0007-record-types.ts';
import { up as records } from './0008-records.ts';
import { up as completions } from './0009-completions.ts';
import { up as chainHeads } from './0010-chain-heads.ts';
import { up as chainEntries } from './0011-chain-entries.ts';
import { up as chainEntriesAppendOnly } from './0012-chain-entries-append-only.ts';
import { up as vaultSigningKeys } from './0013-vault-signing-keys.ts';
import { up as vaultKeyStatements } from './0014-vault-key-statements.ts';
import { up as vaultKeyStatementsAppendOnly } from './0015-vault-key-statements-append-only.ts';
import { up as sealedKeys } from './0016-sealed-keys.ts';
import { up as vaultCheckpoints } from './0017-vault-checkpoints.ts';
import { up as vaultCheckpointsAppendOnly } from './0018-vault-checkpoints-append-only.ts';
import { up as outbox } from './0019-outbox.ts';
import { up as idempotency } from './0020-idempotency.ts';
import { up as recordsCounterProposal } from './0021-records-counter-proposal.ts';
import { up as recordsProposalRounds } from './0022-records-proposal-rounds.ts';
import { up as jobs } from './0023-jobs.ts';
import { up as recordsByDeadline } from './0024-records-by-deadline.ts';
import { up as recordTypesByPublisher } from './0025-record-types-by-publisher.ts';
import { up as recordsPerformanceIndex } from './0028-records-performance-index.ts';
import { up as dropRecordsByPerformerUpdated } from './0029-drop-records-by-performer-updated.ts';
import { up as completionsPerformanceIndex } from './0030-completions-performance-index.ts';
import { up as recordReferences } from './0034-record-references.ts';
import { up as recordsReferenceCount } from './0035-records-reference-count.ts';
import { up as recordsByAwaiting } from './0037-records-by-awaiting.ts';
import { up as agentKeys } from './0041-agent-keys.ts';
import { up as agentReferences } from './0042-agent-references.ts';
import { up as recordsDelegation } from './0038-records-delegation.ts';
import { up as recordsSettlement } from './0039-records-settlement.ts';
import { up as completionsClaimedGates } from './0049-completions-claimed-gates.ts';
import { up as disputes } from './0043-disputes.ts';
import { up as disputeEvidence } from './0044-dispute-evidence.ts';
import { up as recordsOnBehalfOf } from './0056-records-on-behalf-of.ts';
import { up as apiKeysByFilter } from './0045-api-keys-by-filter.ts';
import { up as lockAdminDoors } from './0046-lock-admin-doors.ts';
import { up as agentsByFilter } from './0047-agents-by-filter.ts';
import { up as trustedIssuers } from './0050-trusted-issuers.ts';
import { up as ephemeralCerts } from './0051-ephemeral-certs.ts';
import { up as certKeys } from './0052-cert-keys.ts';
import { up as spentTokens } from './0053-spent-tokens.ts';
import { up as recordContents } from './0060-record-contents.ts';
import { up as secretChecks } from './0065-secret-checks.ts';
import { up as secretChecksAppendOnly } from './0066-secret-checks-append-only.ts';
import { up as coSignedRequests } from './0080-co-signed-requests.ts';
import { up as coSignedRequestsAppendOnly } from './0081-co-signed-requests-append-only.ts';
import { up as coSignedEntries } from './0082-co-signed-entries.ts';
import { up as coSignedEntriesAppendOnly } from './0083-co-signed-entries-append-only.ts';
import { up as logNodes } from './0100-log-nodes.ts';
import { up as logNodesAppendOnly } from './0101-log-nodes-append-only.ts';
import { up as signedByTheActiveKey } from './0102-signed-by-the-active-key.ts';
import { up as anchoredCheckpoints } from './0110-anchored-checkpoints.ts';
import { up as anchoredCheckpointsAppendOnly } from './0111-anchored-checkpoints-append-only.ts';
import { up as anchorSweeps } from './0112-anchor-sweeps.ts';
import { up as rewindFindings } from './0113-rewind-findings.ts';
import { up as orgAdminReads } from './0120-org-admin-reads.ts';
import { up as orgAdminReadsAppendOnly } from './0121-org-admin-reads-append-only.ts';
import { up as orgAdminReadsCheckpoints } from './0122-org-admin-reads-checkpoints.ts';
import { up as orgAdminReadsCheckpointsAppendOnly } from './0123-org-admin-reads-checkpoints-append-only.ts';
import { up as orgReadsByTheActiveKey } from './0124-org-reads-by-the-active-key.ts';
import { up as witnesses } from './0125-witnesses.ts';
import { up as orgReadsCosignatures } from './0126-org-reads-cosignatures.ts';
import { up as orgReadsCosignaturesAppendOnly } from './0127-org-reads-cosignatures-append-only.ts';
import { up as scittLeaves } from './0130-scitt-leaves.ts';
import { up as scittLeavesAppendOnly } from './0131-scitt-leaves-append-only.ts';
import { up as scittStatements } from './0132-scitt-statements.ts';
import { up as scittStatementsAppendOnly } from './0133-scitt-statements-append-only.ts';
import { up as checkpointTimestamps } from './0140-checkpoint-timestamps.ts';
import { up as checkpointTimestampsAppendOnly } from './0141-checkpoint-timestamps-append-only.ts';
import { up as vaultScans } from './0150-vault-scans.ts';
import { up as eventCounter } from './0160-event-counter.ts';
import { up as eventSums } from './0161-event-sums.ts';
import { up as webhookSubscriptions } from './0170-webhook-subscriptions.ts';
import { up as webhookReaders } from './0171-webhook-readers.ts';
import { up as webhookDeliveries } from './0172-webhook-deliveries.ts';
import { up as webhookBodies } from './0173-webhook-bodies.ts';
import { up as webhookDlq } from './0174-webhook-dlq.ts';
import { up as siemSinks } from './0180-siem-sinks.ts';
import { up as complianceExports } from './0185-compliance-exports.ts';
import { up as complianceExportPieces } from './0186-compliance-export-pieces.ts';
import { up as hubKeys } from './0200-hub-keys.ts';
import { up as federationPeers } from './0201-federation-peers.ts';
import { up as pendingPeers } from './0202-pending-peers.ts';
import { up as peerNonces } from './0203-peer-nonces.ts';
import { up as peerKeyStatements } from './0204-peer-key-statements.ts';
import { up as recordsByPublisher } from './0240-records-by-publisher.ts';
import { up as recordsByPlatform } from './0241-records-by-platform.ts';
import { up as recordsByDisputed } from './0242-records-by-disputed.ts';
import { up as completionTimes } from './0243-completion-times.ts';
import { up as completionTimesKept } from './0244-completion-times-kept.ts';
import { up as completionTimesAppendOnly } from './0245-completion-times-append-only.ts';
import { up as federationOutgoingUnanswered } from './0260-federation-outgoing-unanswered.ts';
import { up as federationOutgoingOfPeer } from './0261-federation-outgoing-of-peer.ts';
import { up as recordsByHome } from './0262-records-by-home.ts';
import { up as provisionedRows } from './0270-provisioned-rows.ts';
import { up as jobsInterval } from './0280-jobs-interval.ts';
import { up as jobsSeen } from './0281-jobs-seen.ts';
import { up as rateLimitExemptions } from './0290-rate-limit-exemptions.ts';
import { up as outboxTraceparent } from './0300-outbox-traceparent.ts';
import { up as federationEquivocations } from './0310-federation-equivocations.ts';
import { up as packedRows } from './0320-packed-rows.ts';
import { up as formerPeerKeys } from './0330-former-peer-keys.ts';
import { up as federationLongAttestations } from './0340-federation-long-attestations.ts';
import { up as recordsByStanding } from './0350-records-by-standing.ts';
import { up as leavesByBlock } from './0360-leaves-by-block.ts';

export interface Migration {
  /** Without an extension: it must be the same in development and in production. */
  readonly name: string;
  readonly up: (knex: Knex) => Promise<void>;
}

/** In order. Only ever appended to: a released migration is never changed, there is no way back. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-instance', up: instance },
  { name: '0002-locks', up: locks },
  { name: '0003-orgs', up: orgs },
  { name: '0004-agents', up: agents },
  { name: '0005-api-keys', up: apiKeys },
  { name: '0006-publishers', up: publishers },
  { name: '0007-record-types', up: recordTypes },
  { name: '0008-records', up: records },
  { name: '0009-completions', up: completions },
  { name: '0010-chain-heads', up: chainHeads },
  { name: '0011-chain-entries', up: chainEntries },
  { name: '0012-chain-entries-append-only', up: chainEntriesAppendOnly },
  { name: '0013-vault-signing-keys', up: vaultSigningKeys },
  { name: '0014-vault-key-statements', up: vaultKeyStatements },
  { name: '0015-vault-key-statements-append-only', up: vaultKeyStatementsAppendOnly },
  { name: '0016-sealed-keys', up: sealedKeys },
  { name: '0017-vault-checkpoints', up: vaultCheckpoints },
  { name: '0018-vault-checkpoints-append-only', up: vaultCheckpointsAppendOnly },
  { name: '0019-outbox', up: outbox },
  { name: '0020-idempotency', up: idempotency },
  { name: '0021-records-counter-proposal', up: recordsCounterProposal },
  { name: '0022-records-proposal-rounds', up: recordsProposalRounds },
  { name: '0023-jobs', up: jobs },
  { name: '0024-records-by-deadline', up: recordsByDeadline },
  { name: '0025-record-types-by-publisher', up: recordTypesByPublisher },
  { name: '0028-records-performance-index', up: recordsPerformanceIndex },
  { name: '0029-drop-records-by-performer-updated', up: dropRecordsByPerformerUpdated },
  { name: '0030-completions-performance-index', up: completionsPerformanceIndex },
  { name: '0034-record-references', up: recordReferences },
  { name: '0035-records-reference-count', up: recordsReferenceCount },
  { name: '0037-records-by-awaiting', up: recordsByAwaiting },
  { name: '0041-agent-keys', up: agentKeys },
  { name: '0042-agent-references', up: agentReferences },
  { name: '0038-records-delegation', up: recordsDelegation },
  { name: '0039-records-settlement', up: recordsSettlement },
  { name: '0049-completions-claimed-gates', up: completionsClaimedGates },
  { name: '0043-disputes', up: disputes },
  { name: '0044-dispute-evidence', up: disputeEvidence },
  { name: '0056-records-on-behalf-of', up: recordsOnBehalfOf },
  { name: '0045-api-keys-by-filter', up: apiKeysByFilter },
  { name: '0046-lock-admin-doors', up: lockAdminDoors },
  { name: '0047-agents-by-filter', up: agentsByFilter },
  { name: '0050-trusted-issuers', up: trustedIssuers },
  { name: '0051-ephemeral-certs', up: ephemeralCerts },
  { name: '0052-cert-keys', up: certKeys },
  { name: '0053-spent-tokens', up: spentTokens },
  { name: '0060-record-contents', up: recordContents },
  { name: '0065-secret-checks', up: secretChecks },
  { name: '0066-secret-checks-append-only', up: secretChecksAppendOnly },
  { name: '0080-co-signed-requests', up: coSignedRequests },
  { name: '0081-co-signed-requests-append-only', up: coSignedRequestsAppendOnly },
  { name: '0082-co-signed-entries', up: coSignedEntries },
  { name: '0083-co-signed-entries-append-only', up: coSignedEntriesAppendOnly },
  { name: '0100-log-nodes', up: logNodes },
  { name: '0101-log-nodes-append-only', up: logNodesAppendOnly },
  { name: '0102-signed-by-the-active-key', up: signedByTheActiveKey },
  { name: '0110-anchored-checkpoints', up: anchoredCheckpoints },
  { name: '0111-anchored-checkpoints-append-only', up: anchoredCheckpointsAppendOnly },
  { name: '0112-anchor-sweeps', up: anchorSweeps },
  { name: '0113-rewind-findings', up: rewindFindings },
  { name: '0120-org-admin-reads', up: orgAdminReads },
  { name: '0121-org-admin-reads-append-only', up: orgAdminReadsAppendOnly },
  { name: '0122-org-admin-reads-checkpoints', up: orgAdminReadsCheckpoints },
  { name: '0123-org-admin-reads-checkpoints-append-only', up: orgAdminReadsCheckpointsAppendOnly },
  { name: '0124-org-reads-by-the-active-key', up: orgReadsByTheActiveKey },
  { name: '0125-witnesses', up: witnesses },
  { name: '0126-org-reads-cosignatures', up: orgReadsCosignatures },
  { name: '0127-org-reads-cosignatures-append-only', up: orgReadsCosignaturesAppendOnly },
  { name: '0130-scitt-leaves', up: scittLeaves },
  { name: '0131-scitt-leaves-append-only', up: scittLeavesAppendOnly },
  { name: '0132-scitt-statements', up: scittStatements },
  { name: '0133-scitt-statements-append-only', up: scittStatementsAppendOnly },
  { name: '0140-checkpoint-timestamps', up: checkpointTimestamps },
  { name: '0141-checkpoint-timestamps-append-only', up: checkpointTimestampsAppendOnly },
  { name: '0150-vault-scans', up: vaultScans },
  { name: '0160-event-counter', up: eventCounter },
  { name: '0161-event-sums', up: eventSums },
  { name: '0170-webhook-subscriptions', up: webhookSubscriptions },
  { name: '0171-webhook-readers', up: webhookReaders },
  { name: '0172-webhook-deliveries', up: webhookDeliveries },
  { name: '0173-webhook-bodies', up: webhookBodies },
  { name: '0174-webhook-dlq', up: webhookDlq },
  { name: '0180-siem-sinks', up: siemSinks },
  { name: '0185-compliance-exports', up: complianceExports },
  { name: '0186-compliance-export-pieces', up: complianceExportPieces },
  { name: '0200-hub-keys', up: hubKeys },
  { name: '0201-federation-peers', up: federationPeers },
  { name: '0202-pending-peers', up: pendingPeers },
  { name: '0203-peer-nonces', up: peerNonces },
  { name: '0204-peer-key-statements', up: peerKeyStatements },
  { name: '0210-records-federation', up: recordsFederation },
  { name: '0211-federation-mirrors', up: federationMirrors },
  { name: '0212-federation-outgoing', up: federationOutgoing },
  { name: '0213-federation-incoming', up: federationIncoming },
  { name: '0220-federation-lanes', up: federationLanes },
  { name: '0221-federation-breakers', up: federationBreakers },
  { name: '0222-federation-outgoing-by-peer', up: federationOutgoingByPeer },
  { name: '0224-federation-former-statements', up: federationFormerStatements },
  { name: '0240-records-by-publisher', up: recordsByPublisher },
  { name: '0241-records-by-platform', up: recordsByPlatform },
  { name: '0242-records-by-disputed', up: recordsByDisputed },
  { name: '0243-completion-times', up: completionTimes },
  { name: '0244-completion-times-kept', up: completionTimesKept },
  { name: '0245-completion-times-append-only', up: completionTimesAppendOnly },
  { name: '0260-federation-outgoing-unanswered', up: federationOutgoingUnanswered },
  { name: '0261-federation-outgoing-of-peer', up: federationOutgoingOfPeer },
  { name: '0262-records-by-home', up: recordsByHome },
  { name: '0270-provisioned-rows', up: provisionedRows },
  { name: '0280-jobs-interval', up: jobsInterval },
  { name: '0281-jobs-seen', up: jobsSeen },
  { name: '0290-rate-limit-exemptions', up: rateLimitExemptions },
  { name: '0300-outbox-traceparent', up: outboxTraceparent },
  { name: '0310-federation-equivocations', up: federationEquivocations },
  { name: '0320-packed-rows', up: packedRows },
  { name: '0330-former-peer-keys', up: formerPeerKeys },
  { name: '0340-federation-long-attestations', up: federationLongAttestations },
  { name: '0350-records-by-standing', up: recordsByStanding },
  { name: '0360-leaves-by-block', up: leavesByBlock },
];
