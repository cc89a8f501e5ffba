import type { ApiKey } from '../../domain/identity/api-key.ts';

/** Why a credential was refused. The caller is not told: whoever guesses keys would learn which of them there are. */
export type CredentialFault =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'edited'
  | 'address'
  | 'revoked'
  | 'expired'
  | 'account_deactivated';

/** The cause of a refusal, for those who operate the service. */
export class RefusedCredential extends Error {
  override readonly name = 'RefusedCredential';

  constructor(
    readonly fault: CredentialFault,
    readonly key: Pick<ApiKey, 'id' | 'orgId' | 'ownerId'> | null = null,
    options?: ErrorOptions,
  ) {
    super(`the credential was refused: ${fault}`, options);
  }
}
