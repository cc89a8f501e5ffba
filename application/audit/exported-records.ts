import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import type { Vault } from '../sealing/vault.ts';
import type { AcknowledgedLosses } from './acknowledged-losses.ts';
import {
  exportedRecord,
  exportFrame,
  type ExportFrame,
  type ServiceInfo,
  type StreamedRecord,
} from './audit-export-document.ts';
import type { CloseChain } from './close-chain.ts';
import type { ExportEntries } from './export-entries.ts';
import type { LogProofs } from './log-proofs.ts';
import type { ShownFederation } from './shown-federation.ts';
import type { ShownParties } from './shown-parties.ts';

interface ShownInput {
  readonly evidence?: boolean;
}

/** Of the call that exports; of the caller alone, where a job does. */
type ExportContext = Pick<CallContext, 'caller' | 'span'>;

/** Records with their chains as exports show them. Whoever asks has made sure that the reader may read them. */
export class ExportedRecords {
  constructor(
    private readonly closeChain: CloseChain,
    private readonly loadRecordType: LoadRecordType,
    private readonly vault: Vault,
    private readonly entries: ExportEntries,
    private readonly parties: ShownParties,
    private readonly proofs: LogProofs,
    private readonly losses: AcknowledgedLosses,
    private readonly federation: ShownFederation,
    private readonly clock: Clock,
    private readonly service: ServiceInfo,
  ) {}

  /**
   * A record beside the keys under which it was closed. A rotation in between, by this node or another, retires the key
   * of the checkpoint, and nothing in the file would cover that: so the record is closed again, by the new key.
   */
  async framed(
    context: ExportContext,
    recordId: Uuid,
    input: ShownInput,
  ): Promise<{
    readonly shown: StreamedRecord;
    readonly frame: ExportFrame;
    readonly keyId: string;
  }> {
    for (let rotations = 0; rotations < MAX_ROTATIONS; rotations++) {
      const shown = await this.shown(context, recordId, input);
      const { keyId } = this.vault.seal.signer;
      if (shown.checkpoint?.signingKeyId === keyId) return { shown, frame: this.frame(), keyId };
    }
    throw rotatedMeanwhile();
  }

  async shown(
    { caller, span }: ExportContext,
    recordId: Uuid,
    { evidence = false }: ShownInput,
  ): Promise<StreamedRecord> {
    // Everything that can move is taken under one lock. What follows is never changed: entries up to this head, and the
    // evidence that they seal. So what is shown of a record is of one moment, however long it takes to send.
    const { record, head, checkpoint } = await this.closeChain.of(recordId, { span: span ?? null });
    const { manifest } = await this.loadRecordType.load(record);
    const [retirements, acknowledgements, log, federation] = await Promise.all([
      this.proofs.retirements(head.chainKey),
      this.losses.of(head.chainKey),
      this.proofs.log(checkpoint),
      this.federation.of(record, head.position),
    ]);
    return exportedRecord({
      record,
      manifest,
      parties: await this.parties.of(record),
      entries: this.entries.upTo(head, {
        record,
        algorithms: new Map(this.vault.keys.map((key) => [key.keyId, key.algorithm])),
        evidence,
        caller,
      }),
      retirements,
      acknowledgements,
      checkpoint,
      log,
      federation,
    });
  }

  /** After the chain was closed: that may have brought a new key. */
  private frame(): ExportFrame {
    const { keys, keyStatements, seal, hub } = this.vault;
    return exportFrame({
      keys,
      keyStatements,
      exportedAt: this.clock.now().toISOString(),
      canonicalization: seal.canonicalization,
      hubId: hub.hubId,
      service: this.service,
    });
  }
}

/** Rotations that one export may meet. */
const MAX_ROTATIONS = 4;

export const rotatedMeanwhile = (): NotaryError =>
  new NotaryError('CONFLICT', 'The signing key was rotated during the export.', {
    suggestion: 'Ask for the export again.',
  });
