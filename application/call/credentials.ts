import type { Caller } from '../../domain/identity/caller.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { AdmittedCredentials } from './admitted-credentials.ts';
import type { Budgets } from './budgets.ts';
import type { BearerAuthentication, RefusalListener } from './bearer.ts';
import type { Call } from './call.port.ts';

/** Who calls. Failures are counted by address, before anything is looked up. */
export class Credentials {
  constructor(
    private readonly authentication: BearerAuthentication,
    private readonly budgets: Budgets,
    private readonly admitted: AdmittedCredentials,
    private readonly refused: RefusalListener,
  ) {}

  /** @throws NotaryError UNAUTHORIZED, RATE_LIMITED, ACCOUNT_DEACTIVATED. */
  async open(call: Call): Promise<Caller> {
    const { address, requestId } = call;
    await this.budgets.assertMayAuthenticate(address, () => this.wasAdmitted(call), call.allow);
    try {
      const token = call.credential();
      const caller = await this.authentication.authenticate({ token, address, requestId });
      if (token !== undefined) this.admitted.note(token, caller);
      return caller;
    } catch (error) {
      if (isFailure(error)) await this.budgets.chargeFailedAuthentication(address, call.allow);
      this.tellRefused(error, call);
      throw error;
    }
  }

  /** Tells those who operate the service, where the error is the refusal of a credential. */
  tellRefused(error: unknown, { address, requestId }: Pick<Call, 'address' | 'requestId'>): void {
    if (isRefused(error)) this.refused.tell(error, address, requestId);
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
const isFailure = (error: unknown): error is NotaryError =>
  error instanceof NotaryError &&
  (error.entry.kind === 'unauthenticated' || error.members.reason === 'jwks_fetch_failed');

/** The credential of a deactivated account is valid, and refused all the same. */
const isRefused = (error: unknown): error is NotaryError =>
  isFailure(error) || (error instanceof NotaryError && error.code === 'ACCOUNT_DEACTIVATED');
