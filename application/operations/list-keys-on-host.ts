import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { ApiKeyReads } from '../../domain/identity/identity-store.port.ts';
import type { Role } from '../../domain/identity/scopes.ts';
import type { Keyset } from '../../domain/kernel/page.ts';

/** The keys of a role, for whoever holds the host. No key can be told from its row. */
export class ListKeysOnHost {
  constructor(private readonly apiKeys: ApiKeyReads) {}

  /** Newest first, page by page. */
  async *execute(role: Role): AsyncGenerator<ApiKey> {
    let after: Keyset | null = null;
    do {
      const { rows, next } = await this.apiKeys.list({ role }, { limit: PAGE, after });
      yield* rows;
      after = next;
    } while (after);
  }
}

const PAGE = 200;
