import type { Peer } from '../../domain/federation/peer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed } from '../../domain/kernel/due.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { DetachPeer } from './detach-peer.ts';
import { goodPeers, type EveryPeer } from './good-peers.ts';

/** One run at most, ms: within the lease of the job. */
const RUN_MS = 30_000;
/** A peer of which nothing was left is looked at again after so long, ms. */
const AGAIN_MS = 3_600_000;

/**
 * What is left to do of every peer that was revoked, also where it is registered again: the call that revoked it ends the
 * first records, and a crash leaves nothing behind.
 */
export class DetachRevoked {
  /** What nothing was left of, and when that was. */
  private readonly done = new Map<Uuid, { readonly of: string; readonly at: number }>();

  constructor(
    private readonly peers: EveryPeer,
    private readonly detachPeer: DetachPeer,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async isNeeded(): Promise<boolean> {
    return (await this.due()).length > 0;
  }

  async execute(stopping?: AbortSignal): Promise<void> {
    const until = this.now() + RUN_MS;
    const goesOn = (): boolean => this.now() < until && !stopping?.aborted;
    for (const peer of await this.due())
      if (await this.detachPeer.of(peer, this.ids.next(), goesOn))
        this.done.set(peer.hubId, { of: stateOf(peer), at: this.now() });
  }

  private async due(): Promise<readonly Peer[]> {
    const { peers } = await goodPeers(this.peers);
    return peers.filter((peer) => {
      if (peer.status !== 'REVOKED' && peer.generation === 1) return false;
      const done = this.done.get(peer.hubId);
      return done?.of !== stateOf(peer) || hasPassed(AGAIN_MS, done.at, this.now());
    });
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

const stateOf = ({ status, generation }: Peer): string =>
  `${status === 'REVOKED' ? 'revoked' : 'registered'} ${generation}`;
