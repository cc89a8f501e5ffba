import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import type { Vault } from '../vault/vault.ts';
import {
  auditExportDocument,
  type ServiceInfo,
  type StreamedExport,
} from './audit-export-document.ts';
import type { CloseChain } from './close-chain.ts';
import type { LogProofs } from './log-proofs.ts';
import type { ExportEntries } from './export-entries.ts';
import type { ShownParties } from './shown-parties.ts';

/** Exports one record with its whole chain, the keys to verify it, and a signed claim of where the chain ends now. */
export class ExportAudit {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly closeChain: CloseChain,
    private readonly loadRecordType: LoadRecordType,
    private readonly vault: Vault,
    private readonly entries: ExportEntries,
    private readonly parties: ShownParties,
    private readonly proofs: LogProofs,
    private readonly clock: Clock,
    private readonly service: ServiceInfo,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly evidence?: boolean },
  ): Promise<StreamedExport> {
    const { id } = await this.findRecord.find(context, input.recordId);
    // Everything that can move is taken under one lock. What follows is never changed: entries up to this head, and the
    // evidence that they seal. So an export is of one moment, however long it takes to send.
    const { record, head, checkpoint } = await this.closeChain.of(id);
    const { manifest } = await this.loadRecordType.load(record);
    const [retirements, log] = await Promise.all([
      this.proofs.retirements(head.chainKey),
      this.proofs.log(checkpoint),
    ]);
    const { keys, keyStatements } = this.vault;
    return auditExportDocument({
      record,
      manifest,
      parties: await this.parties.of(record),
      entries: this.entries.upTo(head, {
        record,
        algorithms: new Map(keys.map((key) => [key.keyId, key.algorithm])),
        evidence: input.evidence ?? false,
        caller: context.caller,
      }),
      keys,
      keyStatements,
      retirements,
      checkpoint,
      log,
      exportedAt: this.clock.now().toISOString(),
      canonicalization: this.vault.seal.canonicalization,
      hubId: this.vault.hub.hubId,
      service: this.service,
    });
  }
}
