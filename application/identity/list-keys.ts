import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ApiKeyFilter, ApiKeyReads } from '../../domain/identity/identity-store.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import { assertBounded } from './key-filter.ts';
import { ownOrg } from '../call/own-org.ts';

export class ListKeys {
  constructor(private readonly apiKeys: ApiKeyReads) {}

  async execute(
    { caller }: CallContext,
    { slice, ...filter }: ApiKeyFilter & { readonly slice: SliceRequest },
  ): Promise<Slice<ApiKey>> {
    assertBounded(filter);
    return this.apiKeys.list({ ...filter, ...ownOrg(caller, filter.orgId) }, slice);
  }
}
