import type { Peer } from '../../domain/federation/peer.ts';
import type { PeerAct } from '../../domain/federation/peer-transitions.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { sealPeer, statusAfter } from './peer-acts.ts';

/** What every act of an operator on a registered peer does: lock, ask the table, write, seal, tell. */
export class ActOnPeer {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly clock: Clock,
  ) {}

  run(
    context: CallContext,
    act: PeerAct,
    { hubId, reason }: { readonly hubId: Uuid; readonly reason?: string | undefined },
    change: Partial<Peer> = {},
    besides: (stores: Stores, peer: Peer, now: string) => Promise<void> = async () => undefined,
  ): Promise<Peer> {
    return this.idempotent.run(context, async (stores) => {
      const before = await stores.peers.lock(hubId);
      if (!before) throw notFound('registered peer');
      const now = this.clock.now().toISOString();
      const peer: Peer = {
        ...before,
        ...change,
        status: statusAfter(act, before.status),
        updatedAt: now,
        version: before.version + 1,
      };
      await stores.peers.update(peer);
      await besides(stores, peer, now);
      await sealPeer(this.sealPlatform, stores, originOf(context), act, peer, { reason });
      return peer;
    });
  }
}
