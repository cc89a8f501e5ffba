import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type {
  RecordTypeFilter,
  RecordTypeReads,
} from '../../domain/record-type/record-type-store.port.ts';
import { ownOrg } from '../call/own-org.ts';
import { shownTypes, type ManagedRows, type ShownType } from './shown-type.ts';

export interface ListTypesInput extends Omit<RecordTypeFilter, 'orgId'> {
  readonly orgId?: Uuid;
  readonly slice: SliceRequest;
}

export class ListTypes {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly managed: ManagedRows,
  ) {}

  async execute(
    { caller }: CallContext,
    { slice, orgId, ...filter }: ListTypesInput,
  ): Promise<Slice<ShownType>> {
    const of = { ...filter, orgId: ownOrg(caller, orgId).orgId ?? null };
    return shownTypes(this.managed, await this.recordTypes.list(of, slice));
  }
}
