import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext, IdempotencyClaim } from '../call/call-context.ts';
import type { InputCheck, PartCheck } from '../call/input-check.port.ts';
import type { KeptAnswer } from '../ports/idempotency-store.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { KeyUsedOtherwise } from '../call/key-used-otherwise.ts';
import { CREATE_GATED } from './examples.ts';
import { CreateRecordInput, type AskedRecord } from './inputs.ts';
import type { PlaceRecord } from './place-record.ts';
import type { ReadRecord } from './read-record.ts';
import type { RecordResult } from './results.ts';

export type BulkOutcome = { readonly record: RecordResult } | { readonly error: NotaryError };
export interface BulkResult {
  readonly outcomes: readonly BulkOutcome[];
}

/**
 * Opens many records, each in a transaction of its own: one that fails harms no other.
 *
 * Under an Idempotency-Key each item commits with a key of its own, so a retry after a crash in the middle creates
 * only the records that are still missing.
 */
export class CreateRecordsBulk {
  private readonly checkItem: PartCheck;

  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly placeRecord: PlaceRecord,
    private readonly readRecord: ReadRecord,
    inputs: InputCheck,
  ) {
    this.checkItem = inputs.prepare(ITEM);
  }

  /**
   * An item that is refused keeps its place, and the refusal is the one that it would meet on its own.
   *
   * @throws UNPROCESSABLE where the key made items of another input.
   */
  async execute(
    context: CallContext,
    { items }: { readonly items: readonly unknown[] },
  ): Promise<BulkResult> {
    const earlier = await this.earlier(context, items);
    // The input was read and checked in this turn.
    await nextTurn();
    const result = { outcomes: await this.all(context, items, earlier) };
    // The answer to all items is made in one turn as well.
    await nextTurn();
    if (context.idempotency)
      await this.idempotent.keep(context.idempotency, context.idempotency.keep(result), context);
    return result;
  }

  /** What a call under the same key made before it died, found before anything is made. */
  private async earlier(
    { idempotency: claim }: CallContext,
    items: readonly unknown[],
  ): Promise<readonly (KeptAnswer | null)[]> {
    if (!claim) return [];
    const made = await Promise.all(
      items.map((_, index) => this.idempotent.find(itemKey(claim, index).scope)),
    );
    if (made.some((one) => one && !bytesEqual(one.fingerprint, claim.fingerprint)))
      throw new KeyUsedOtherwise();
    return made;
  }

  /**
   * The body of a co-signed call is kept with the first record that comes of it, and with none where none comes. So the
   * items go one by one until then; the others only refer to it.
   */
  private async all(
    context: CallContext,
    items: readonly unknown[],
    earlier: readonly (KeptAnswer | null)[],
  ): Promise<readonly BulkOutcome[]> {
    const { coSigned } = context;
    const first: BulkOutcome[] = [];
    let isKept = !coSigned;
    while (!isKept && first.length < items.length) {
      const index = first.length;
      const outcome = await this.one(context, items[index], index, earlier[index]);
      first.push(outcome);
      isKept = 'record' in outcome && !earlier[index];
    }
    const kept: CallContext = coSigned
      ? { ...context, coSigned: { ...coSigned, isKept: true } }
      : context;
    const outcomes = first;
    while (outcomes.length < items.length) {
      const from = outcomes.length;
      const group = items
        .slice(from, from + GROUP_SIZE)
        .map((item, offset) => this.one(kept, item, from + offset, earlier[from + offset]));
      outcomes.push(...(await Promise.all(group)));
    }
    return outcomes;
  }

  private async one(
    context: CallContext,
    item: unknown,
    index: number,
    earlier?: KeptAnswer | null,
  ): Promise<BulkOutcome> {
    try {
      // The check proves this shape; its type cannot say so, since one port checks every schema.
      const asked = this.checkItem(item) as unknown as AskedRecord;
      const claim = context.idempotency && itemKey(context.idempotency, index);
      if (earlier) {
        const { recordId } = JSON.parse(earlier.answer) as { recordId: Uuid };
        return { record: await this.readRecord.read(context, recordId) };
      }
      const { idempotency: _, coSigned, ...call } = context;
      const own: CallContext = {
        ...call,
        ...(claim ? { idempotency: claim } : {}),
        ...(coSigned
          ? { coSigned: { ...coSigned, block: { ...coSigned.block, item: index } } }
          : {}),
      };
      return { record: await this.placeRecord.place(own, asked) };
    } catch (error) {
      if (error instanceof NotaryError && !error.entry.retryable) return { error };
      throw error;
    }
  }
}

/**
 * How many items are opened at the same time, with one commit. Each step of all 100 took one turn of the event loop, of
 * up to 57 ms.
 */
const GROUP_SIZE = 16;

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const ITEM = {
  noun: 'The body',
  memberNoun: 'member',
  schema: CreateRecordInput,
  hasHelp: true,
  example: CREATE_GATED,
};

const itemKey = (claim: IdempotencyClaim, index: number): IdempotencyClaim => ({
  scope: sha256(Uint8Array.of(...claim.scope, index)),
  fingerprint: claim.fingerprint,
  keep: (view) => JSON.stringify({ recordId: (view as RecordResult).record.id }),
});
