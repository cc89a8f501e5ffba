import type { AnchorLog } from '../../domain/vault/anchor-log.port.ts';
import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../idempotency/idempotent-transaction.ts';
import type { AnchorMatch, AnchorMatches } from './anchor-matches.ts';
import { withAnchors } from './anchors-needed.ts';

const MOST = 200;
const SAMPLE = 20;

/** Compares anchors with the log, those of one chain or some of all. */
export class VerifyAnchors {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly anchors: AnchorStore | null,
    private readonly anchored: AnchorLog,
    private readonly matches: AnchorMatches,
  ) {}

  async execute(
    context: CallContext,
    { recordId }: { readonly recordId?: Uuid },
  ): Promise<readonly AnchorMatch[]> {
    const matches = await withAnchors(this.anchors, async () =>
      this.matches.of(
        await (recordId ? this.anchored.ofChain(recordId, MOST) : this.anchored.sample(SAMPLE)),
      ),
    );
    return this.idempotent.run(context, () => Promise.resolve(matches));
  }
}
