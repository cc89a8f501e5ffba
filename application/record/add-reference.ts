import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import {
  assertReferenceTarget,
  findReference,
  type ReferenceTarget,
} from '../../domain/kernel/reference-target.ts';
import type { Reference } from '../../domain/record/reference.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { PresentRecord } from './present-record.ts';
import type { ReferenceResult } from './results.ts';

export type AskedReference = Pick<ReferenceTarget, 'kind' | 'uri'> &
  Partial<ReferenceTarget> & { readonly recordId: Uuid };

/** Points a record at something outside, in any state; the same kind and URI twice is one reference. */
export class AddReference {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly present: PresentRecord,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    { recordId, kind, uri, digest = null, label = null }: AskedReference,
  ): Promise<ReferenceResult> {
    const { caller } = context;
    const target = { kind, uri, digest, label };
    return this.actOnRecord.unlessDone<ReferenceResult>(
      context,
      recordId,
      async ({ stores, record, chain, acting }) => {
        assertReferenceTarget(target);
        const known = findReference(record.state.references, target);
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
          { ...target, id: context.peer?.id ?? this.ids.next(), by: actorOf(caller) },
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
