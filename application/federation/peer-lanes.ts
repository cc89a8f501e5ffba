import type { DueLane } from '../../domain/federation/lane-store.port.ts';
import { LANES_AT_ONCE, REQUESTS_AT_ONCE } from '../../domain/federation/lane.ts';
import {
  CLOSED_BREAKER,
  peerFailed,
  peerLetsLeave,
  peerProbed,
  type PeerBreaker,
} from '../../domain/federation/peer-breaker.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { LANE_BEAT_MS, LANE_LEASE_MS, type LaneParts } from './lane-parts.ts';
import { SendLane, type LaneRun } from './send-lane.ts';

interface Given {
  readonly lanes: readonly DueLane[];
  readonly isProbe: boolean;
}

/** A lane under the lease of this process that waits for one of its requests to end. */
interface NextLane {
  readonly lane: DueLane;
  readonly isProbe: boolean;
}

/**
 * Works on the lanes of one peer, several at once. What came of some and who is next is one transaction for many of them,
 * so a lane costs no commit of its own beside that of the answer.
 */
export class PeerLanes {
  private readonly token: Uuid;
  private readonly working = new Map<Uuid, Promise<void>>();
  private readonly next: NextLane[] = [];
  private done: LaneRun[] = [];
  private wake: () => void = () => undefined;
  private isRung = false;

  constructor(
    private readonly parts: LaneParts,
    private readonly peerHubId: Uuid,
    private readonly stopping: AbortSignal,
  ) {
    this.token = parts.ids.next();
  }

  /** Something was queued meanwhile. */
  ring(): void {
    this.isRung = true;
    this.wake();
  }

  /** It was told of something after it had decided to end. */
  get isWanted(): boolean {
    return this.isRung;
  }

  /** Resolves when nothing is due any more, or when what is under way at a stop is finished. */
  async run(): Promise<void> {
    const beat = setInterval(() => void this.renew(), LANE_BEAT_MS).unref();
    try {
      while (!this.stopping.aborted && (await this.turn()));
    } finally {
      await Promise.all(this.working.values());
      this.giveBack();
      if (this.done.length > 0) await this.exchange(false).finally(() => clearInterval(beat));
      clearInterval(beat);
    }
  }

  /** Never rejects: where it fails, another node may send the same message, and the peer knows it by its sequence. */
  private async renew(): Promise<void> {
    if (this.working.size === 0) return;
    try {
      await this.parts.unitOfWork.transaction((stores) =>
        stores.federationLanes.renew(this.peerHubId, this.token, LANE_LEASE_MS),
      );
    } catch {
      // The next beat tries again.
    }
  }

  /** @returns false where there is nothing to do. */
  private async turn(): Promise<boolean> {
    this.isRung = false;
    const { lanes, isProbe } = await this.exchange(true);
    this.next.push(...lanes.map((lane) => ({ lane, isProbe })));
    this.beginNext();
    if (this.working.size === 0) return this.isRung;
    await this.untilWorthwhile();
    return true;
  }

  private beginNext(): void {
    while (this.working.size < REQUESTS_AT_ONCE && !this.stopping.aborted) {
      const one = this.next.shift();
      if (!one) return;
      this.begin(one);
    }
  }

  private begin({ lane, isProbe }: NextLane): void {
    const work = new SendLane(this.parts, lane, isProbe)
      .run(this.stopping)
      .then((run) => {
        this.done.push(run);
        // The breaker decides whether anything more leaves for a peer that is away.
        if (run.wasAway) this.giveBack();
      })
      .catch((error: unknown) => {
        // The lease ends by itself, and the lane goes on then.
        this.parts.log.error(
          { err: error, recordId: lane.recordId, peerHubId: this.peerHubId },
          'a message to a peer could not be sent; it goes on',
        );
      })
      .finally(() => {
        this.working.delete(lane.recordId);
        this.beginNext();
        this.wake();
      });
    this.working.set(lane.recordId, work);
  }

  /** Lanes that did not begin: nothing came of them. */
  private giveBack(): void {
    const dueAt = this.now();
    for (const { lane } of this.next.splice(0))
      this.done.push({
        state: { ...lane, dueAt, stopped: null, lastStatus: null, lastError: null },
        wasAway: false,
        wasThere: false,
      });
  }

  /** Until no lane waits here, and one is done or the bell rings for a free place. */
  private async untilWorthwhile(): Promise<void> {
    while (!this.isWorthwhile) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private get isWorthwhile(): boolean {
    if (this.working.size === 0) return true;
    if (this.next.length > 0) return false;
    return this.done.length > 0 || (this.isRung && this.working.size < REQUESTS_AT_ONCE);
  }

  private async exchange(takesMore: boolean): Promise<Given> {
    const peer = await this.parts.peers.find(this.peerHubId);
    const isActive = takesMore && peer?.status === 'ACTIVE' && !this.stopping.aborted;
    const runs = this.done;
    this.done = [];
    try {
      return await this.parts.unitOfWork.transaction(async (stores) => {
        const before = await stores.federationLanes.lockPeer(this.peerHubId);
        await stores.federationLanes.release(
          runs.map(({ state }) => state),
          this.token,
        );
        const breaker = runs.reduce((now, run) => this.after(now, run), before);
        const given = isActive ? await this.give(stores, breaker) : NONE;
        const next = given.isProbe ? peerProbed(breaker, this.now()) : breaker;
        if (!isSame(next, before)) await stores.federationLanes.saveBreaker(this.peerHubId, next);
        return given;
      });
    } catch (error) {
      this.done = [...runs, ...this.done];
      throw error;
    }
  }

  /** Where other nodes send as well, no lane waits here: all together have no more lanes than requests. */
  private async give(stores: Stores, breaker: PeerBreaker): Promise<Given> {
    const now = this.now();
    const leave = peerLetsLeave(breaker, now);
    if (leave === 'none') return NONE;
    const others = await stores.federationLanes.countLeased(this.peerHubId, this.token);
    const places = (others === 0 ? LANES_AT_ONCE : REQUESTS_AT_ONCE - others) - this.working.size;
    const free = Math.min(places, leave === 'probe' ? 1 : Infinity);
    if (free <= 0) return NONE;
    const lanes = await stores.federationLanes.due(this.peerHubId, now, free);
    if (lanes.length === 0) return NONE;
    await stores.federationLanes.lease(lanes, this.token, LANE_LEASE_MS);
    return { lanes, isProbe: leave === 'probe' };
  }

  private after(breaker: PeerBreaker, { wasAway, wasThere }: LaneRun): PeerBreaker {
    const there = wasThere ? CLOSED_BREAKER : breaker;
    return wasAway ? peerFailed(there, this.now()) : there;
  }

  private now(): string {
    return this.parts.clock.now().toISOString();
  }
}

const NONE: Given = { lanes: [], isProbe: false };

const isSame = (a: PeerBreaker, b: PeerBreaker): boolean =>
  a.consecutiveFailures === b.consecutiveFailures &&
  a.openedAt === b.openedAt &&
  a.probeAt === b.probeAt;
