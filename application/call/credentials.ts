import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { AuthenticateBearer } from '../identity/authenticate-bearer.ts';
import type { AdmittedCredentials } from './admitted-credentials.ts';
import type { Budgets } from './budgets.ts';
import type { Call } from './call.port.ts';

/** Who calls. Failures are counted by address, before anything is looked up. */
export class Credentials {
  constructor(
    private readonly authentication: Pick<AuthenticateBearer, 'authenticate'>,
    private readonly budgets: Budgets,
    private readonly admitted: AdmittedCredentials,
  ) {}

  /** @throws NotaryError UNAUTHORIZED, RATE_LIMITED, ACCOUNT_DEACTIVATED. */
  async open(call: Call): Promise<Caller> {
    const { address } = call;
    this.budgets.assertMayAuthenticate(address, () => this.wasAdmitted(call), call.allow);
    try {
      const token = call.credential();
      const caller = await this.authentication.authenticate({ token, address });
      if (token !== undefined) this.admitted.note(token, caller);
      return caller;
    } catch (error) {
      if (isFailure(error)) this.budgets.chargeFailedAuthentication(address, call.allow);
      throw error;
    }
  }

  private wasAdmitted(call: Call): boolean {
    try {
      const token = call.credential();
      return token !== undefined && this.admitted.has(token);
    } catch {
      return false;
    }
  }
}

/** A token that cannot be judged now counts too: otherwise anybody may send any number while a provider is away. */
const isFailure = (error: unknown): boolean =>
  error instanceof NotaryError &&
  (error.entry.kind === 'unauthenticated' || error.members.reason === 'jwks_fetch_failed');
