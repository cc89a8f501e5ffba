import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { CallContext } from '../../domain/identity/caller.ts';
import type { ApiKeyFilter, ApiKeyReads } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { ownOrg } from './own-org.ts';

export class ListKeys {
  constructor(private readonly apiKeys: ApiKeyReads) {}

  execute({ caller }: CallContext, input: { readonly filter: ApiKeyFilter; readonly slice: SliceRequest }): Promise<Slice<ApiKey>> {
    const { filter } = input;
    if (filter.neverUsed !== undefined && filter.createdBefore === undefined) {
      throw new NotaryError('VALIDATION_ERROR', 'neverUsed needs createdBefore: a key minted a moment ago was never used either.', { errors: [{ path: '/createdBefore', keyword: 'required', message: 'is needed with neverUsed' }] });
    }
    return this.apiKeys.list({ ...filter, ...ownOrg(caller, filter.orgId) }, input.slice);
  }
}
