import type { Caller } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';

/** Who calls, as the credential that came with the call proves it. */
export class GetWhoami {
  execute({ caller }: CallContext): Promise<Caller> {
    return Promise.resolve(caller);
  }
}
