import type { CallContext } from '../../call/call-context.ts';
import type { IdempotentTransaction } from '../../call/idempotent-transaction.ts';
import type { ScanRequests } from './scan-requests.ts';
import type { VaultScan } from '../../ports/vault-scan.ts';

/** Asks for a scan of the vault. A node that runs jobs takes it up within a second or so. */
export class StartScan {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly requests: ScanRequests,
  ) {}

  /** @throws CONFLICT with reason VAULT_SCAN_IN_FLIGHT. */
  execute(context: CallContext): Promise<VaultScan> {
    return this.requests.add((work) => this.idempotent.run(context, work));
  }
}
