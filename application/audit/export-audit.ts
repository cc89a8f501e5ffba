import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { Vault } from '../sealing/vault.ts';
import {
  exportOfOne,
  exportOfTree,
  type StreamedExport,
  type StreamedRecord,
  type StreamedTree,
} from './audit-export-document.ts';
import { rotatedMeanwhile, type ExportedRecords } from './exported-records.ts';
import type { ReadableSubtree } from './readable-subtree.ts';

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
    private readonly exported: ExportedRecords,
    private readonly subtree: ReadableSubtree,
    private readonly vault: Pick<Vault, 'seal'>,
  ) {}

  async execute(context: CallContext, input: ExportInput): Promise<ConcernedExport> {
    const record = await this.findRecord.find(context, input.recordId);
    if (!input.subtree) {
      const { shown, frame } = await this.exported.framed(context, record.id, input);
      return { document: exportOfOne(frame, shown), orgs: partiesOf(shown) };
    }
    const { ids, orgs: below, omitted } = await this.subtree.below(context, record);
    // Refusals come before the answer begins.
    const { shown, frame, keyId } = await this.exported.framed(context, record.id, input);
    const orgs = new Set([...partiesOf(shown), ...below]);
    const records = this.all(context, shown, ids, orgs, { ...input, keyId });
    return { document: exportOfTree(frame, omitted, records), orgs: [...orgs] };
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
      const shown = await this.exported.shown(context, found, input);
      // The keys of the file are those of its beginning, and so are the proofs of the records that were sent.
      if (shown.checkpoint?.signingKeyId !== keyId || this.vault.seal.signer.keyId !== keyId)
        throw rotatedMeanwhile();
      // That the others were read was logged before the answer began.
      if (!partiesOf(shown).every((orgId) => orgs.has(orgId)))
        throw new NotaryError('CONFLICT', 'A record of the tree got a party during the export.');
      yield shown;
    }
  }
}

/** Those of this hub: another one logs what is read there. */
const partiesOf = ({ parties }: StreamedRecord): readonly Uuid[] =>
  parties.flatMap(({ orgId, name }) => (orgId === null || name === null ? [] : [orgId]));
