import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { MessageRoute } from './message.ts';
import type { LaneFailures, LaneStop } from './lane.ts';
import type { PeerBreaker } from './peer-breaker.ts';

/** What this hub sends to a peer about one record, in order. */
export interface DueLane {
  /** The record here. */
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly failures: LaneFailures;
}

/** What the work on a lane left behind. */
export interface LaneState extends DueLane {
  /** ISO 8601: not before that. */
  readonly dueAt: string;
  readonly stopped: { readonly reason: LaneStop; readonly at: string } | null;
  /** Of the newest answer that was none; null without one. */
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/**
 * Leases are per lane, in the database, so of all nodes one sends the messages of a record. A lease ends by itself. All
 * methods take part in the unit of work.
 */
export interface LaneStore {
  /** Locks the peer's row, so that its lanes are given out by one node at a time. */
  lockPeer(peerHubId: Uuid): Promise<PeerBreaker>;
  saveBreaker(peerHubId: Uuid, breaker: PeerBreaker): Promise<void>;
  /** How many lanes of the peer are under lease now by other tokens than this one, on whichever node. */
  countLeased(peerHubId: Uuid, but: Uuid): Promise<number>;
  /** Lanes that have a message to send, are due, under no lease and not stopped; the longest due first. */
  due(peerHubId: Uuid, now: string, limit: number): Promise<readonly DueLane[]>;
  lease(lanes: readonly DueLane[], token: Uuid, forMs: number): Promise<void>;
  /** All lanes of the peer that the token holds. */
  renew(peerHubId: Uuid, token: Uuid, forMs: number): Promise<void>;
  /** Writes what came of each and gives it back. One whose lease was lost stays as it is. */
  release(states: readonly LaneState[], token: Uuid): Promise<void>;
  /** Lanes that wait because the peer was away go on at once, and its breaker closes: it is back. */
  hasten(peerHubId: Uuid, now: string): Promise<void>;
  /** Every lane of the peer that has messages: they are in the DLQ from then on. */
  stopAll(peerHubId: Uuid, reason: LaneStop, at: string): Promise<void>;
  /** Lets stopped lanes go on from their first message. Those of a revoked peer stay. */
  recover(filter: DlqFilter, now: string): Promise<Recovered>;
}

/** Messages that left the DLQ, and those of the same filter that stayed. */
export interface Recovered {
  readonly recovered: number;
  readonly remaining: number;
}

export interface DlqFilter {
  readonly peerHubId?: Uuid;
  readonly recordId?: Uuid;
}

/** A message of a lane that stands. */
export interface FederationDeadLetter {
  /** That of the message. */
  readonly id: Uuid;
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly sequence: number;
  readonly route: MessageRoute;
  readonly reason: LaneStop;
  /** Of the lane's first message. */
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly queuedAt: string;
  readonly stoppedAt: string;
}

export interface LaneReads {
  /** Of the peers whose breaker is not as new. */
  breakers(): Promise<ReadonlyMap<Uuid, PeerBreaker>>;
  /** Whether a lane waits because the peer was away. */
  isMissed(peerHubId: Uuid, now: string): Promise<boolean>;
  /** Whether a lane of the peer could be worked on now. */
  hasDue(peerHubId: Uuid, now: string): Promise<boolean>;
  /** Newest first. */
  deadLetters(filter: DlqFilter, slice: SliceRequest): Promise<Slice<FederationDeadLetter>>;
}
