import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import type { Vault } from '../vault/vault.ts';
import type { AcknowledgedLosses } from './acknowledged-losses.ts';
import {
  exportedRecord,
  exportFrame,
  exportOfOne,
  exportOfTree,
  type ExportFrame,
  type ServiceInfo,
  type StreamedExport,
  type StreamedRecord,
  type StreamedTree,
} from './audit-export-document.ts';
import type { CloseChain } from './close-chain.ts';
import type { ExportEntries } from './export-entries.ts';
import type { LogProofs } from './log-proofs.ts';
import type { ReadableSubtree } from './readable-subtree.ts';
import type { ShownParties } from './shown-parties.ts';

interface ExportInput {
  readonly recordId: Uuid;
  readonly evidence?: boolean;
  readonly subtree?: boolean;
}

/** An export, and the orgs whose data it shows. */
export interface ConcernedExport {
  readonly document: StreamedExport | StreamedTree;
  readonly orgs: readonly (Uuid | null)[];
}

/** Exports a record with its whole chain, the keys to verify it, and a signed claim of where the chain ends now. */
export class ExportAudit {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly closeChain: CloseChain,
    private readonly loadRecordType: LoadRecordType,
    private readonly vault: Vault,
    private readonly entries: ExportEntries,
    private readonly parties: ShownParties,
    private readonly proofs: LogProofs,
    private readonly losses: AcknowledgedLosses,
    private readonly subtree: ReadableSubtree,
    private readonly clock: Clock,
    private readonly service: ServiceInfo,
  ) {}

  async execute(context: CallContext, input: ExportInput): Promise<ConcernedExport> {
    const record = await this.findRecord.find(context, input.recordId);
    if (!input.subtree) {
      const { shown, frame } = await this.framed(context, record.id, input);
      return { document: exportOfOne(frame, shown), orgs: partiesOf(shown) };
    }
    const { ids, orgs: below, omitted } = await this.subtree.below(context, record);
    // Refusals come before the answer begins.
    const { shown, frame, keyId } = await this.framed(context, record.id, input);
    const orgs = new Set([...partiesOf(shown), ...below]);
    const records = this.all(context, shown, ids, orgs, { ...input, keyId });
    return { document: exportOfTree(frame, omitted, records), orgs: [...orgs] };
  }

  /**
   * A record beside the keys under which it was closed. A rotation in between, by this node or another, retires the key
   * of the checkpoint, and nothing in the file would cover that: so the record is closed again, by the new key.
   */
  private async framed(
    context: CallContext,
    recordId: Uuid,
    input: ExportInput,
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

  /** @param input with the key that the file shows as the active one. */
  private async *all(
    context: CallContext,
    first: StreamedRecord,
    below: readonly Uuid[],
    orgs: ReadonlySet<Uuid | null>,
    { keyId, ...input }: ExportInput & { readonly keyId: string },
  ): AsyncGenerator<StreamedRecord> {
    yield first;
    for (const id of below) {
      const { id: found } = await this.findRecord.find(context, id);
      const shown = await this.shown(context, found, input);
      // The keys of the file are those of its beginning, and so are the proofs of the records that were sent.
      if (shown.checkpoint?.signingKeyId !== keyId || this.vault.seal.signer.keyId !== keyId)
        throw rotatedMeanwhile();
      // That the others were read was logged before the answer began.
      if (!partiesOf(shown).every((orgId) => orgs.has(orgId)))
        throw new NotaryError('CONFLICT', 'A record of the tree got a party during the export.');
      yield shown;
    }
  }

  private async shown(
    context: CallContext,
    recordId: Uuid,
    { evidence = false }: ExportInput,
  ): Promise<StreamedRecord> {
    // Everything that can move is taken under one lock. What follows is never changed: entries up to this head, and the
    // evidence that they seal. So what is shown of a record is of one moment, however long it takes to send.
    const { record, head, checkpoint } = await this.closeChain.of(recordId);
    const { manifest } = await this.loadRecordType.load(record);
    const [retirements, acknowledgements, log] = await Promise.all([
      this.proofs.retirements(head.chainKey),
      this.losses.of(head.chainKey),
      this.proofs.log(checkpoint),
    ]);
    return exportedRecord({
      record,
      manifest,
      parties: await this.parties.of(record),
      entries: this.entries.upTo(head, {
        record,
        algorithms: new Map(this.vault.keys.map((key) => [key.keyId, key.algorithm])),
        evidence,
        caller: context.caller,
      }),
      retirements,
      acknowledgements,
      checkpoint,
      log,
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

const partiesOf = ({ parties }: StreamedRecord): readonly Uuid[] =>
  parties.map(({ orgId }) => orgId);

/** Rotations that one export may meet. */
const MAX_ROTATIONS = 4;

const rotatedMeanwhile = (): NotaryError =>
  new NotaryError('CONFLICT', 'The signing key was rotated during the export.', {
    suggestion: 'Ask for the export again.',
  });
