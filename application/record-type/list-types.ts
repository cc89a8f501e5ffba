import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type {
  RecordTypeFilter,
  RecordTypeReads,
} from '../../domain/record-type/record-type-store.port.ts';
import { ownOrg } from '../identity/own-org.ts';

export interface ListTypesInput extends Omit<RecordTypeFilter, 'orgId'> {
  readonly orgId?: Uuid;
  readonly slice: SliceRequest;
}

export class ListTypes {
  constructor(private readonly recordTypes: RecordTypeReads) {}

  execute(
    { caller }: CallContext,
    { slice, orgId, ...filter }: ListTypesInput,
  ): Promise<Slice<RecordType>> {
    return this.recordTypes.list({ ...filter, orgId: ownOrg(caller, orgId).orgId ?? null }, slice);
  }
}
