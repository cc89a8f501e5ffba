import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { findReference, type ReferenceTarget } from '../../domain/kernel/reference-target.ts';
import type { Reference } from '../../domain/record/reference.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { PresentRecord } from './present-record.ts';
import type { ReferenceResult } from './results.ts';

/** Points a record at something outside, in any state; the same kind and URI twice is one reference. */
export class AddReference {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly present: PresentRecord,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly target: ReferenceTarget },
  ): Promise<ReferenceResult> {
    const { caller } = context;
    return this.actOnRecord.unlessDone<ReferenceResult>(
      context,
      input.recordId,
      async ({ stores, record, chain, acting }) => {
        const known = findReference(record.state.references, input.target);
        if (known)
          return {
            done: {
              reference: known,
              added: false,
              ...this.present.record(record.state, null, caller),
            },
          };
        const change = record.addReference(
          acting,
          { ...input.target, id: this.ids.next(), by: actorOf(caller) },
          chain.at,
        );
        await stores.references.insert(
          change.reference as Reference,
          (chain.head?.position ?? 0) + 1,
        );
        return change;
      },
      ({ change, entry }) => ({
        reference: change.reference as Reference,
        added: true,
        ...this.present.record(change.after, entry, caller),
      }),
    );
  }
}
