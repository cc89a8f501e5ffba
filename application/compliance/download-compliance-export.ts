import { NotaryError } from '../../domain/kernel/errors.ts';
import { sha256Hex } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import { stateOf, type ComplianceExport, type MadeExport } from '../ports/compliance-export.ts';
import type { ComplianceExportReads } from '../ports/compliance-export-store.port.ts';
import type { ReadComplianceExports } from './read-compliance-exports.ts';

export interface Download {
  readonly of: ComplianceExport;
  readonly orgs: readonly Uuid[];
  /** Read while they are sent. */
  readonly parts: () => AsyncIterable<Uint8Array>;
}

/** Gives an export out, whichever node made it. Each piece is compared with what was hashed when it was made. */
export class DownloadComplianceExport {
  constructor(
    private readonly exports: ReadComplianceExports,
    private readonly reads: Pick<ComplianceExportReads, 'piece'>,
  ) {}

  async execute(
    context: CallContext,
    { exportId }: { readonly exportId: Uuid },
  ): Promise<Download> {
    const found = await this.exports.find(context, exportId);
    const { made } = found;
    if (!made) throw notCompleted(found);
    // A refusal comes before the answer begins.
    const first = made.pieces.length === 0 ? null : await this.first(context, found, made);
    return { of: found, orgs: made.orgs, parts: () => this.parts(found, made, first) };
  }

  /** Where it expired at this very moment, that is no edit of anybody. */
  private async first(
    context: CallContext,
    found: ComplianceExport,
    made: MadeExport,
  ): Promise<Uint8Array> {
    try {
      return await this.piece(found, made, 0);
    } catch (error) {
      await this.exports.find(context, found.id);
      throw error;
    }
  }

  private async *parts(
    found: ComplianceExport,
    made: MadeExport,
    first: Uint8Array | null,
  ): AsyncGenerator<Uint8Array> {
    if (!first) return;
    yield first;
    for (let ordinal = 1; ordinal < made.pieces.length; ordinal++)
      yield await this.piece(found, made, ordinal);
  }

  private async piece(
    { id, claim }: ComplianceExport,
    { pieces }: MadeExport,
    ordinal: number,
  ): Promise<Uint8Array> {
    const content = claim && (await this.reads.piece(id, claim, ordinal));
    if (!content || sha256Hex(content) !== pieces[ordinal])
      throw payloadDrift(id, `piece ${ordinal} of the export`);
    return content;
  }
}

const notCompleted = (found: ComplianceExport): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE_STATE',
    found.failure === null ? 'The export is not made yet.' : `The export failed: ${found.failure}`,
    {
      currentState: stateOf(found),
      suggestion:
        found.failure === null
          ? 'Read the export until its state is completed, then download it.'
          : 'Ask for another one.',
    },
  );
