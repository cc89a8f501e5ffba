import type { Witness } from '../../domain/identity/witness.ts';
import type { WitnessReads } from '../../domain/identity/witness-store.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';

export class ListWitnesses {
  constructor(private readonly witnesses: WitnessReads) {}

  execute(
    _context: CallContext,
    { slice }: { readonly slice: SliceRequest },
  ): Promise<Slice<Witness>> {
    return this.witnesses.list(slice);
  }
}
