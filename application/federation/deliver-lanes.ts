import { CLOSED_BREAKER, peerLetsLeave } from '../../domain/federation/peer-breaker.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { goodPeers } from './good-peers.ts';
import type { LaneNotice } from './lane-notice.port.ts';
import type { LaneParts } from './lane-parts.ts';
import { PeerLanes } from './peer-lanes.ts';

/** How often it looks for what other processes queued, and for what is due again, ms. */
const EVERY_MS = 250;

/** Delivers the messages to peers: each peer by itself, so one that is away delays no other. */
export class DeliverLanes {
  private readonly running = new Map<Uuid, { readonly lanes: PeerLanes; end: Promise<void> }>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private deaf: (() => void) | null = null;
  private looking: Promise<void> | null = null;
  private isFailing = false;
  private drifted: ReadonlySet<Uuid> = new Set();

  constructor(
    private readonly parts: LaneParts,
    private readonly notice: LaneNotice,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.look(), EVERY_MS).unref();
    this.deaf = this.notice.onQueued((peerHubId) => this.begin(peerHubId));
    this.look();
  }

  /** Begins nothing more, and resolves when what is under way is done: a request that left gets its outcome. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.deaf?.();
    this.stopping.abort();
    await this.looking;
    await Promise.all([...this.running.values()].map(({ end }) => end));
  }

  private look(): void {
    this.looking ??= this.find().finally(() => (this.looking = null));
  }

  /** Never rejects. */
  private async find(): Promise<void> {
    try {
      for (const peerHubId of await this.due()) this.begin(peerHubId);
      this.isFailing = false;
    } catch (error) {
      this.tell(error);
    }
  }

  /** A peer that is away is not looked at before its next probe, however much waits for it. */
  private async due(): Promise<readonly Uuid[]> {
    const { lanes, peers } = this.parts;
    const now = this.parts.clock.now().toISOString();
    const breakers = await lanes.breakers();
    const due: Uuid[] = [];
    const good = await goodPeers(peers);
    this.tellDrifted(good.drifted);
    for (const { hubId, status } of good.peers) {
      const leave = peerLetsLeave(breakers.get(hubId) ?? CLOSED_BREAKER, now);
      if (status !== 'ACTIVE' || leave === 'none') continue;
      if (await lanes.hasDue(hubId, now)) due.push(hubId);
    }
    return due;
  }

  /** Once each: it looks several times a second. */
  private tellDrifted(hubIds: readonly Uuid[]): void {
    for (const peerHubId of hubIds)
      if (!this.drifted.has(peerHubId))
        this.parts.log.error(
          { peerHubId },
          'the row of a peer was edited behind the service; nothing is delivered to it',
        );
    this.drifted = new Set(hubIds);
  }

  private begin(peerHubId: Uuid): void {
    if (this.stopping.signal.aborted) return;
    const running = this.running.get(peerHubId);
    if (running) return running.lanes.ring();
    const lanes = new PeerLanes(this.parts, peerHubId, this.stopping.signal);
    const end = lanes
      .run()
      .catch((error: unknown) => this.tell(error, peerHubId))
      .finally(() => {
        this.running.delete(peerHubId);
        if (lanes.isWanted && !this.isFailing) this.begin(peerHubId);
      });
    this.running.set(peerHubId, { lanes, end });
  }

  /** It tries again by itself: an outage is told of once. */
  private tell(error: unknown, peerHubId?: Uuid): void {
    if (!this.isFailing)
      this.parts.log.error({ err: error, peerHubId }, 'delivery to peers failed; it goes on');
    this.isFailing = true;
  }
}
