import type { CallContext } from '../call/call-context.ts';
import type { OrgReads } from '../../domain/identity/identity-store.port.ts';
import type { Org } from '../../domain/identity/org.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';

/** Lists every org to a platform operator, and its own org to an admin. */
export class ListOrgs {
  constructor(private readonly orgs: OrgReads) {}

  execute({ caller }: CallContext, input: { readonly slice: SliceRequest }): Promise<Slice<Org>> {
    return this.orgs.list(
      caller.role === 'platform' || caller.orgId === null ? {} : { id: caller.orgId },
      input.slice,
    );
  }
}
