import type {
  DlqFilter,
  FederationDeadLetter,
  LaneReads,
} from '../../domain/federation/lane-store.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';

/** Messages to peers that wait for an operator, newest first. */
export class ListFederationDlq {
  constructor(private readonly lanes: Pick<LaneReads, 'deadLetters'>) {}

  execute(
    _context: CallContext,
    { slice, ...filter }: DlqFilter & { readonly slice: SliceRequest },
  ): Promise<Slice<FederationDeadLetter>> {
    return this.lanes.deadLetters(filter, slice);
  }
}
