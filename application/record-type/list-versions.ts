import type { CallContext } from '../call/call-context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import { governedOrg } from '../call/own-org.ts';
import { shownTypes, type ManagedRows, type ShownType } from './shown-type.ts';

export interface ListVersionsInput {
  readonly type: string;
  readonly publisher?: string;
  readonly orgId?: Uuid;
  readonly slice: SliceRequest;
}

/** Lists every version of a record type in an org, with disabled ones and those of other publishers, newest registration first. */
export class ListVersions {
  constructor(
    private readonly recordTypes: RecordTypeReads,
    private readonly managed: ManagedRows,
  ) {}

  /** @throws NOT_FOUND where the org has no version at all */
  async execute(
    { caller }: CallContext,
    { type, publisher, orgId, slice }: ListVersionsInput,
  ): Promise<Slice<ShownType>> {
    const found = await this.recordTypes.list(
      {
        orgId: governedOrg(caller, orgId),
        type,
        ...(publisher === undefined ? {} : { publisher }),
      },
      slice,
    );
    if (found.total === 0) throw notFound('record type');
    return shownTypes(this.managed, found);
  }
}
