import { anchorsOf } from '../../domain/vault/anchor-key.ts';
import type { AnchoredObject, AnchorStore } from '../../domain/vault/anchor.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import { withAnchors } from './anchors-needed.ts';

/** What the store holds of one chain. */
export class ListAnchors {
  constructor(private readonly anchors: AnchorStore | null) {}

  execute(
    _context: CallContext,
    { recordId }: { readonly recordId: Uuid },
  ): Promise<readonly AnchoredObject[]> {
    return withAnchors(this.anchors, async (anchors) => {
      const objects: AnchoredObject[] = [];
      for await (const object of anchors.list(anchorsOf(recordId))) objects.push(object);
      return objects;
    });
  }
}
