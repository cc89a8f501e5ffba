import type { DisputeReads } from '../../domain/dispute/dispute-store.port.ts';
import { openingHash } from '../../domain/dispute/moves.ts';
import { isObject, type JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashText } from '../../domain/kernel/digest.ts';
import { isUuid, type Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';

/**
 * What parties said, beside the entries of one chain that seal the hash of it: messages of proposals, and what disputes
 * rest on. One piece at a time, for evidence may be large. Asked entry by entry, in the order of the chain.
 */
export class ShownContents {
  /** The dispute that the entries are about, and which of its pieces the next entry about evidence brings. */
  private dispute: { readonly id: Uuid; next: number } | null = null;

  /** @param record as it was at the head of the chain. */
  constructor(
    private readonly disputes: DisputeReads,
    private readonly record: Pick<RecordState, 'id' | 'message' | 'counterProposal'>,
  ) {}

  /** Undefined where the entry seals nothing of the kind, or where the service holds it no more. */
  async at({ entryType }: ChainEntry, predicate: JsonObject): Promise<JsonObject | undefined> {
    const { messageHash, dispute } = predicate;
    if (typeof messageHash === 'string') return this.messageOf(messageHash);
    const id = isObject(dispute) ? dispute['id'] : undefined;
    const contentHash = isObject(dispute) ? dispute['contentHash'] : undefined;
    if (typeof id !== 'string' || !isUuid(id) || typeof contentHash !== 'string') return undefined;
    if (entryType === 'DISPUTE_OPENED') return this.opening(id, contentHash);
    return entryType === 'DISPUTE_EVIDENCE_SUBMITTED' ? this.piece(id) : undefined;
  }

  /** The message of a counter-proposal is kept as long as that is on the table. */
  private messageOf(hash: string): JsonObject | undefined {
    const message = [this.record.message, this.record.counterProposal?.message ?? null].find(
      (known) => known !== null && hashText(known) === hash,
    );
    return message === undefined || message === null ? undefined : { message };
  }

  private async opening(id: Uuid, contentHash: string): Promise<JsonObject | undefined> {
    const dispute = await this.disputes.openingOf(id);
    if (dispute?.recordId !== this.record.id) return undefined;
    const { grounds, statement } = dispute;
    // The first piece may have come with the opening, or after it.
    const first =
      openingHash(dispute, null) === contentHash ? null : await this.disputes.contentAt(id, 1);
    this.dispute = { id, next: first ? 2 : 1 };
    return { grounds, statement, evidence: first };
  }

  private async piece(id: Uuid): Promise<JsonObject | undefined> {
    if (this.dispute?.id !== id) return undefined;
    const evidence = await this.disputes.contentAt(id, this.dispute.next++);
    return evidence ? { evidence } : undefined;
  }
}
