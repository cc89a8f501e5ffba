import type { AnchorLog } from '../../domain/vault/anchor-log.port.ts';
import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { readAnchorKey } from '../../domain/vault/anchor-key.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { AnchorMatch, AnchorMatches } from './anchor-matches.ts';
import { withAnchors } from './anchors-needed.ts';
import type { UnprovenAnchor, UnprovenAnchors } from './unproven-anchors.ts';

const MOST = 200;
const SAMPLE = 20;

/** Compares anchors with the log, those of one chain or some of all, and names what no key of this hub signed. */
export class VerifyAnchors {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly anchors: AnchorStore | null,
    private readonly anchored: AnchorLog,
    private readonly matches: AnchorMatches,
    private readonly unproven: UnprovenAnchors,
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
    const unproven = this.unproven.list(recordId).map(unprovenMatch);
    return this.idempotent.run(context, () => Promise.resolve([...matches, ...unproven]));
  }
}

const unprovenMatch = ({ key, detail }: UnprovenAnchor): AnchorMatch => {
  const { chainKey, position } = readAnchorKey(key) ?? { chainKey: PLATFORM_CHAIN, position: 0 };
  return { chainKey, position, match: false, detail: `${key}: ${detail}` };
};
