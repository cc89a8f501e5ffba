import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { ReconcileFiles } from './reconcile-files.ts';
import type { ReloadReport } from './reload-report.ts';

/** Reads the provisioning files again and applies them. */
export class ReloadProvisioning {
  constructor(
    private readonly files: ReconcileFiles,
    private readonly idempotent: IdempotentTransaction,
  ) {}

  execute(context: CallContext): Promise<ReloadReport> {
    return this.files.reconcile(originOf(context), 'request', (work) =>
      this.idempotent.run(context, work),
    );
  }
}
