import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { CompletionReads } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { AuditExport } from '../../domain/verification/audit-export.ts';
import type { FindRecord } from '../record/find-record.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { SealCheckpoint } from '../sealing/seal-checkpoint.ts';
import type { UnitOfWork } from '../unit-of-work.port.ts';
import type { Vault } from '../vault/vault.ts';
import { auditExportDocument, type ServiceInfo } from './audit-export-document.ts';

/** An export shows a chain as a whole, so no chain of a record may grow longer. */
const MAX_ENTRIES = 10_000;

/** Exports one record with its whole chain, the keys to verify it, and a signed claim of where the chain ends now. */
export class ExportAudit {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly unitOfWork: UnitOfWork,
    private readonly recordChains: RecordChains,
    private readonly sealCheckpoint: SealCheckpoint,
    private readonly vault: Vault,
    private readonly chains: ChainReads,
    private readonly completions: CompletionReads,
    private readonly checkpoints: CheckpointReads,
    private readonly clock: Clock,
    private readonly service: ServiceInfo,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly evidence?: boolean },
  ): Promise<AuditExport> {
    const { id } = await this.findRecord.find(context, input.recordId);
    const { record, checkpoint } = await this.close(id);
    const { keys, keyStatements } = this.vault;
    const [entries, completions, checkpoints] = await Promise.all([
      this.chains.entries(recordChain(id), 1, MAX_ENTRIES),
      input.evidence ? this.completions.ofRecord(id) : [],
      this.checkpoints.ofChain(recordChain(id)),
    ]);
    return auditExportDocument({
      record,
      // Entries that landed after the checkpoint belong to the next export.
      entries: entries.filter((entry) => entry.position <= checkpoint.position),
      completions,
      keys,
      keyStatements,
      checkpoint,
      checkpoints: checkpoints.filter((candidate) => candidate.logIndex <= checkpoint.logIndex),
      exportedAt: this.clock.now().toISOString(),
      canonicalization: this.vault.seal.canonicalization,
      hubId: this.vault.hub.hubId,
      service: this.service,
    });
  }

  /** Locks the record and its chain, makes sure that they agree, and signs where the chain ends. */
  private close(
    recordId: Uuid,
  ): Promise<{ readonly record: RecordState; readonly checkpoint: Checkpoint }> {
    return this.unitOfWork.transaction(async (stores) => {
      const found = await stores.records.lock(recordId);
      if (!found) throw payloadDrift(recordId, 'missing row');
      const { head, at } = await this.recordChains.lock(stores, found.record);
      if (!head) throw payloadDrift(recordId, 'missing chain');
      return {
        record: found.record,
        checkpoint: await this.sealCheckpoint.covering(stores, head, at),
      };
    });
  }
}
