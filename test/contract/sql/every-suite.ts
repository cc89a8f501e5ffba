import type { DatabaseKind } from '../../support/databases/databases.ts';
import { anchorsSuite } from './anchors.suite.ts';
import { agentProfilesSuite } from './agent-profiles.suite.ts';
import { certificatesSuite } from './certificates.suite.ts';
import { chainStoreSuite } from './chain-store.suite.ts';
import { coSignedRequestsSuite } from './co-signed-requests.suite.ts';
import { columnMapsSuite } from './column-maps.suite.ts';
import { configSourceSuite } from './config-source.suite.ts';
import { disputesSuite } from './disputes.suite.ts';
import { sinkPositionsSuite } from './sink-positions.suite.ts';
import { complianceExportsSuite } from './compliance-exports.suite.ts';
import { eventPlacesSuite } from './event-places.suite.ts';
import { eventSumsSuite } from './event-sums.suite.ts';
import { forgetEventsSuite } from './forget-events.suite.ts';
import { eventsSuite } from './events.suite.ts';
import { federatedRecordsSuite } from './federated-records.suite.ts';
import { federationLanesSuite } from './federation-lanes.suite.ts';
import { failuresSuite } from './failures.suite.ts';
import { identityStoresSuite } from './identity-stores.suite.ts';
import { jobLeasesSuite } from './job-leases.suite.ts';
import { migrationsSuite } from './migrations.suite.ts';
import { provisionedRowsSuite } from './provisioned-rows.suite.ts';
import { orgReadsSuite } from './org-reads.suite.ts';
import { peersSuite } from './peers.suite.ts';
import { outboxAndIdempotencySuite } from './outbox-and-idempotency.suite.ts';
import { performanceSuite } from './performance.suite.ts';
import { keyPlansSuite } from './key-plans.suite.ts';
import { plansSuite } from './plans.suite.ts';
import { rateLimitExemptionsSuite } from './rate-limit-exemptions.suite.ts';
import { recordListingSuite } from './record-listing.suite.ts';
import { recordStoresSuite } from './record-stores.suite.ts';
import { referencesSuite } from './references.suite.ts';
import { recordTypeStoreSuite } from './record-type-store.suite.ts';
import { sharedCommitsSuite } from './shared-commits.suite.ts';
import { statementLogsSuite } from './statement-logs.suite.ts';
import { timestampsSuite } from './timestamps.suite.ts';
import { treesSuite } from './trees.suite.ts';
import { scanLogsSuite } from './scan-logs.suite.ts';
import { secretChecksSuite } from './secret-checks.suite.ts';
import { rowSealsSuite } from './row-seals.suite.ts';
import { textComparisonSuite } from './text-comparison.suite.ts';
import { unitOfWorkSuite } from './unit-of-work.suite.ts';
import { webhooksSuite } from './webhooks.suite.ts';
import { vaultScansSuite } from './vault-scans.suite.ts';
import { vaultSnapshotsSuite } from './vault-snapshots.suite.ts';
import { vaultStoresSuite } from './vault-stores.suite.ts';

/** Everything that a database has to promise. */
const SUITES: readonly ((kind: DatabaseKind) => void)[] = [
  migrationsSuite,
  columnMapsSuite,
  textComparisonSuite,
  unitOfWorkSuite,
  sharedCommitsSuite,
  failuresSuite,
  chainStoreSuite,
  anchorsSuite,
  recordStoresSuite,
  federatedRecordsSuite,
  recordListingSuite,
  performanceSuite,
  plansSuite,
  keyPlansSuite,
  referencesSuite,
  webhooksSuite,
  federationLanesSuite,
  disputesSuite,
  recordTypeStoreSuite,
  identityStoresSuite,
  configSourceSuite,
  rowSealsSuite,
  rateLimitExemptionsSuite,
  agentProfilesSuite,
  certificatesSuite,
  coSignedRequestsSuite,
  vaultStoresSuite,
  vaultSnapshotsSuite,
  timestampsSuite,
  vaultScansSuite,
  scanLogsSuite,
  treesSuite,
  orgReadsSuite,
  peersSuite,
  statementLogsSuite,
  outboxAndIdempotencySuite,
  eventPlacesSuite,
  sinkPositionsSuite,
  provisionedRowsSuite,
  complianceExportsSuite,
  eventsSuite,
  eventSumsSuite,
  forgetEventsSuite,
  jobLeasesSuite,
  secretChecksSuite,
];

/** Declares the suites, or one part of them: `[which, parts]` deals them out to files that run side by side, from 1. */
export const everySuite = (
  kind: DatabaseKind,
  [which, parts]: readonly [number, number] = [1, 1],
): void => {
  for (const [at, suite] of SUITES.entries()) if (at % parts === which - 1) suite(kind);
};
