import type { Uuid } from '../../domain/kernel/ids.ts';
import type { MessageRoute } from '../../domain/federation/message.ts';

/** One lane: a record and the direction from this hub to its peer. */
export interface Lane {
  /** The local record. */
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
}

/** The lowest message of a lane that the peer has not answered. */
export interface LaneHead extends Lane {
  readonly messageId: Uuid;
  readonly sequence: number;
  readonly route: MessageRoute;
  /** Sent verbatim. */
  readonly body: Uint8Array;
  readonly queuedAt: string;
}

/** What waits to be sent, as it is committed. A lane whose record is detached has nothing to send. */
export interface OutgoingMessages {
  /** Lanes with something to send, in order of record id, at most `limit` after one. */
  lanes(after: Uuid | null, limit: number): Promise<readonly Lane[]>;
  /** Null where the lane has nothing to send. */
  head(lane: Lane): Promise<LaneHead | null>;
  /** What follows a sequence, in order, at most `limit`: what an answer carries in `messages[]`. */
  after(lane: Lane, sequence: number, limit: number): Promise<readonly LaneHead[]>;
  /** The message of a sequence, answered or not: a receiver that asks for it gets it again. */
  at(lane: Lane, sequence: number): Promise<LaneHead | null>;
}
