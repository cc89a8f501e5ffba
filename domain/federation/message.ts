import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { RecordStatus } from '../record/record-status.ts';
import type { ProjectionPredicate } from './projection.ts';

/** The path by which a message travels. Both share one sequence for each record and direction. */
export type MessageRoute = 'state-transitions' | 'signals';

/** What one body of the wire has, whichever route it takes. Byte strings are standard base64. */
export interface MessageEnvelope {
  readonly messageId: Uuid;
  readonly toHubId: Uuid;
  /** Home's id of the record, in both directions. */
  readonly recordId: Uuid;
  readonly originHubId: Uuid;
  readonly sequence: number;
  /** COSE_Sign1 over the projection, or over the signal's predicate; both of typ projection. */
  readonly statement: string;
  /**
   * The sender's entries of this record since its last message. The last one is what the message is about: home's entry
   * of the transition, the mirror's STEP_OFFERED, or the SIGNAL_EMITTED.
   */
  readonly entries: readonly string[];
}

/** Home's step, or one that the mirror asks of home. */
export interface StateTransitionMessage extends MessageEnvelope {
  /** After the transition; of a step, the state attempted. */
  readonly state: RecordStatus;
  /** The predicate of `statement`, decoded. */
  readonly projection: ProjectionPredicate;
  readonly content: MessageContent;
}

/** A recommendation of home to whoever holds the money. */
export interface SignalMessage extends MessageEnvelope {
  readonly signalId: Uuid;
  readonly supersedes?: Uuid;
  readonly recommendation: 'SETTLE' | 'HOLD' | 'RELEASE';
  readonly outcome: RecordStatus;
  readonly performerAgentId: Uuid | null;
  readonly platformRef: string | null;
  readonly disputeId?: Uuid;
}

/** What the entries of a message hash. */
export interface MessageContent {
  /** With home's first message: the manifest that the record pins. */
  readonly manifest?: JsonObject;
  readonly items: readonly ContentItem[];
}

export type ContentKind = 'criteria' | 'message' | 'evidence' | 'dispute';

/** One content. Text is hashed as UTF-8, everything else in its RFC 8785 form. */
export interface ContentItem {
  readonly kind: ContentKind;
  /** SHA-256, lowercase hex, as an entry of the message seals it. */
  readonly hash: string;
  readonly value: string | JsonObject;
}

export type AnswerOutcome = 'applied' | 'refused' | 'stale';

/** What the receiver answers. A message counts as delivered only when the attestation verifies. */
export interface PeerAnswer {
  readonly messageId: Uuid;
  readonly outcome: AnswerOutcome;
  /** The receiver's counter-attestation: a COSE_Sign1, standard base64. */
  readonly attestation: string;
  /** Home's next messages, to an answer of which no hub key signs; a body of either route each. */
  readonly messages?: readonly (StateTransitionMessage | SignalMessage)[];
}

/** A refusal of a step or of an offer, as far as the wire tells it: 422 with an attestation. */
export interface PeerRefusal {
  readonly messageId: Uuid;
  readonly attestation: string;
  readonly code: string;
  readonly detail: string;
  readonly currentState: string | null;
  readonly attemptedState: string | null;
}
