import { ContainerModule } from 'inversify';
import { AcknowledgedLosses } from '../../application/audit/acknowledged-losses.ts';
import { CloseChain } from '../../application/audit/close-chain.ts';
import { ExportAttestation } from '../../application/audit/export-attestation.ts';
import { ExportBundle } from '../../application/audit/export-bundle.ts';
import { ExportAudit } from '../../application/audit/export-audit.ts';
import { ExportEntries } from '../../application/audit/export-entries.ts';
import { ExportedRecords } from '../../application/audit/exported-records.ts';
import { ListCheckpoints } from '../../application/audit/list-checkpoints.ts';
import { ReadableSubtree } from '../../application/audit/readable-subtree.ts';
import { ShownFederation } from '../../application/audit/shown-federation.ts';
import { ShownParties } from '../../application/audit/shown-parties.ts';
import { LogProofs } from '../../application/audit/log-proofs.ts';
import { ShownRequests } from '../../application/audit/shown-requests.ts';
import { ShownTimestamps } from '../../application/audit/shown-timestamps.ts';
import { PeerVaultKeys } from '../../application/federation/peer-vault-keys.ts';
import { FindRecord } from '../../application/record/find-record.ts';
import { LargeContents } from '../../application/record/large-contents.ts';
import { LoadRecordType } from '../../application/record/load-record-type.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { SealCheckpoint } from '../../application/sealing/seal-checkpoint.ts';
import { EntryReceipts } from '../../application/transparency/entry-receipts.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';
import { VERSION } from '../build-version.ts';

/** Exports that anyone can verify offline. */
export const auditModule = new ContainerModule((options) => {
  provideBy(options, t.serviceInfo, (baseUrl) => ({ baseUrl, version: VERSION }), [t.publicUrl]);
  provide(options, ExportEntries, [t.chainReads, t.completionReads, t.disputeReads, ShownRequests]);
  provide(options, ShownParties, [t.agentReads, t.orgReads]);
  provide(options, ShownFederation, [t.federationReads, PeerVaultKeys]);
  provide(options, ShownTimestamps, [t.timestampReads, t.timestampChecker, t.log]);
  provide(options, ShownRequests, [t.coSignedRequestReads, t.log]);
  provideBy(
    options,
    LogProofs,
    (chains, checkpoints, trees, ...parts) =>
      new LogProofs({ chains, checkpoints, trees }, ...parts),
    [t.chainReads, t.checkpointReads, t.treeReads, Vault, ShownTimestamps],
  );
  provide(options, AcknowledgedLosses, [PlatformLedger, t.chainReads, Vault]);
  provide(options, ReadableSubtree, [t.recordReads]);
  provide(options, CloseChain, [t.unitOfWork, RecordChains, SealCheckpoint, LargeContents]);
  provide(options, ExportAttestation, [FindRecord, CloseChain, t.chainReads, EntryReceipts]);
  provide(options, ExportBundle, [FindRecord, t.unitOfWork, RecordChains, LargeContents, Vault]);
  provide(options, ListCheckpoints, [t.checkpointReads]);
  provide(options, ExportedRecords, [
    CloseChain,
    LoadRecordType,
    Vault,
    ExportEntries,
    ShownParties,
    LogProofs,
    AcknowledgedLosses,
    ShownFederation,
    t.clock,
    t.serviceInfo,
  ]);
  provide(options, ExportAudit, [FindRecord, ExportedRecords, ReadableSubtree, Vault]);
});
