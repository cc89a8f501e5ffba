import type { Caller } from '../../domain/identity/caller.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';

export interface Bearer {
  readonly token: string | undefined;
  readonly address: string;
  readonly requestId: string;
}

/** Says who a credential belongs to. @throws NotaryError UNAUTHORIZED, ACCOUNT_DEACTIVATED. */
export interface BearerAuthentication {
  authenticate(bearer: Bearer): Promise<Caller>;
}

/** Is told of each credential that was refused. */
export interface RefusalListener {
  tell(error: NotaryError, address: string, requestId: string): void;
}
