import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import { withAnchors } from './anchors-needed.ts';
import type { RewindCheck } from './rewind-check.ts';
import type { RewindWatch } from './rewind-watch.ts';

/** Compares every chain with its newest checkpoint and with every anchor, now. */
export class ReconcileAnchors {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly anchors: AnchorStore | null,
    private readonly check: RewindCheck,
    private readonly watch: RewindWatch,
    private readonly guard: RewindGuard,
  ) {}

  /** @returns the findings that nobody acknowledged. */
  async execute(context: CallContext, _input: object): Promise<readonly RewindFinding[]> {
    const open = await withAnchors(this.anchors, async () => {
      await this.check.run({ thorough: true });
      await this.watch.follow();
      await this.watch.liftRestored();
      return this.guard.findings;
    });
    return this.idempotent.run(context, () => Promise.resolve(open));
  }
}
