import type { DueLane, LaneState } from '../../domain/federation/lane-store.port.ts';
import {
  failedAgain,
  isAway,
  laneVerdict,
  NO_FAILURES,
  type LaneFailures,
  type LaneOutcome,
} from '../../domain/federation/lane.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import { PEER_PATHS } from '../../domain/federation/request-signature.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { EgressFailed, EgressRefused } from '../ports/egress-post.port.ts';
import type { LaneParts } from './lane-parts.ts';
import type { LaneHead } from '../sharing/outgoing.port.ts';
import { readAnswer, type ReadAnswer } from './read-answer.ts';

/** A fault may quote what the peer sent, and that has no end. */
const MAX_ERROR = 500;

/** What came of a lane, and whether the peer was there. */
export interface LaneRun {
  readonly state: LaneState;
  readonly wasAway: boolean;
  readonly wasThere: boolean;
}

/** The answer came, and what it says could not be written down here. */
class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

interface Attempt {
  readonly outcome: LaneOutcome;
  readonly error: string | null;
  readonly messages: readonly JsonObject[];
}

interface Next {
  readonly head: LaneHead;
  /** The peer answered it before, and asks for it again. */
  readonly isRepeated: boolean;
  /** Nothing waits behind it. */
  readonly isLast: boolean;
}

/** Sends the messages of one lane in order, as long as the peer takes them. */
export class SendLane {
  private failures: LaneFailures;
  private wasThere = false;

  constructor(
    private readonly parts: LaneParts,
    private readonly lane: DueLane,
    private readonly isProbe: boolean,
  ) {
    this.failures = lane.failures;
  }

  /** @param stopping the message that is under way is still finished. */
  async run(stopping: AbortSignal): Promise<LaneRun> {
    /** The sequence that the peer asked for, below the first that it has not answered. */
    let again: number | null = null;
    let hasRewound = false;
    await this.parts.signAnew.refresh();
    while (!stopping.aborted) {
      const peer = await this.parts.peers.find(this.lane.peerHubId);
      const next = await this.next(again);
      if (peer?.status !== 'ACTIVE' || !next) break;
      const message = await this.parts.signAnew.fresh(next.head);
      const { outcome, error, messages } = await this.send(peer, message);
      const away = isAway(outcome);
      this.wasThere ||= !away;
      const now = this.now();
      const verdict = laneVerdict(hasRewound ? withoutGap(outcome) : outcome, {
        sent: message.sequence,
        failures: this.failures,
        now,
        isProbe: this.isProbe,
      });
      if (verdict.kind === 'delivered') {
        // Whoever takes again what it took before has not taken the message that failed.
        if (!next.isRepeated) this.failures = NO_FAILURES;
        await this.takeAlong(peer, messages);
        this.parts.awaitHome.moved(this.lane.recordId);
        // What is queued from now on finds the lane due again when it is given back.
        if (next.isLast) break;
        again = again === null ? null : again + 1;
        continue;
      }
      if (verdict.kind === 'rewound') {
        again = verdict.sequence;
        hasRewound = true;
        continue;
      }
      this.failures = failedAgain(this.failures, now);
      const state = {
        ...this.left(now),
        lastStatus: outcome.kind === 'answered' ? outcome.status : null,
        lastError: error?.slice(0, MAX_ERROR) ?? null,
      };
      if (verdict.kind === 'stopped')
        return this.ended({ ...state, stopped: { reason: verdict.reason, at: now } }, away);
      const dueAt = new Date(Date.parse(now) + verdict.afterMs).toISOString();
      return this.ended({ ...state, dueAt }, away);
    }
    return this.ended(this.left(this.now()), false);
  }

  /** What the peer asked for again, and otherwise the first that it has not answered. */
  private async next(again: number | null): Promise<Next | null> {
    const { outgoing } = this.parts;
    const [head, second] = await outgoing.after(this.lane, 0, 2);
    if (!head) return null;
    if (again === null || again >= head.sequence)
      return { head, isRepeated: false, isLast: again === null && second === undefined };
    const asked = await outgoing.at(this.lane, again);
    return asked && { head: asked, isRepeated: true, isLast: false };
  }

  private async send(peer: Peer, message: LaneHead): Promise<Attempt> {
    const path = message.route === 'signals' ? PEER_PATHS.signals : PEER_PATHS.stateTransitions;
    try {
      const response = await this.parts.transport.post(peer, path, message.body);
      const read = await readAnswer(response, peer.hubId, this.parts.json);
      const fault = await this.faultOf(peer, message, read);
      const outcome: LaneOutcome = {
        kind: 'answered',
        status: response.status,
        isAttested: fault === null,
        expectedSequence: read.expectedSequence,
        retryAfterSeconds: response.retryAfterSeconds,
      };
      // An attestation that does not verify may be by a key that is not known here yet: the message is sent again.
      const isOdd = fault !== null && read.answer !== null && response.status === 422;
      return {
        outcome: isOdd ? { ...outcome, status: 200 } : outcome,
        error: fault,
        messages: fault === null ? read.messages : [],
      };
    } catch (error) {
      const isFailure =
        error instanceof EgressFailed ||
        error instanceof EgressRefused ||
        error instanceof NotTaken;
      if (!isFailure) throw error;
      return { outcome: { kind: 'unreachable' }, error: error.message, messages: [] };
    }
  }

  /** Null where the answer counts. */
  private async faultOf(
    peer: Peer,
    message: LaneHead,
    { answer, detail }: ReadAnswer,
  ): Promise<string | null> {
    if (!answer) return detail ?? 'the answer has no attestation';
    try {
      await this.parts.take.execute(message, answer, this.parts.ids.next(), peer);
      return null;
    } catch (error) {
      if (error instanceof NotaryError && error.entry.kind === 'unprocessable')
        return error.message;
      // Thrown on, it would end no attempt: the lane would go on at the end of each lease, without a wait and for ever.
      this.parts.log.error(
        { err: error, recordId: this.lane.recordId, peerHubId: peer.hubId },
        'the answer of a peer could not be taken; it is asked again',
      );
      throw new NotTaken('The answer of the peer could not be taken here; the log says why.');
    }
  }

  /**
   * Home's next messages, each as if it had come by itself. One that is not taken comes again by its own request, so a
   * refusal harms nothing.
   */
  private async takeAlong(peer: Peer, messages: readonly JsonObject[]): Promise<void> {
    for (const body of messages) {
      const route = 'signalId' in body ? 'signals' : 'state-transitions';
      try {
        await this.parts.receive.of(route, peer, body, 'answer', this.parts.ids.next());
      } catch (error) {
        // Whatever a peer sends along, its own request tells it again: it ends no lane.
        if (!(error instanceof NotaryError))
          this.parts.log.error(
            { err: error, recordId: this.lane.recordId, peerHubId: peer.hubId },
            'a message that came with an answer of a peer could not be taken',
          );
        return;
      }
    }
  }

  private left(now: string): LaneState {
    return {
      recordId: this.lane.recordId,
      peerHubId: this.lane.peerHubId,
      failures: this.failures,
      dueAt: now,
      stopped: null,
      lastStatus: null,
      lastError: null,
    };
  }

  private ended(state: LaneState, wasAway: boolean): LaneRun {
    return { state, wasAway, wasThere: this.wasThere };
  }

  private now(): string {
    return this.parts.clock.now().toISOString();
  }
}

/** Whoever asks for earlier messages a second time got them, and refuses this one. */
const withoutGap = (outcome: LaneOutcome): LaneOutcome =>
  outcome.kind === 'answered' ? { ...outcome, expectedSequence: null } : outcome;
