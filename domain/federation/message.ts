import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { RecordStatus } from '../record/record-status.ts';
import type { ContentItem } from './content.ts';
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

/** What the last entry of a message hashes; what earlier ones hash travelled before. */
export interface MessageContent {
  /** With home's first message: the manifest that the record pins. */
  readonly manifest?: JsonObject;
  readonly items: readonly ContentItem[];
}

export type AnswerOutcome = 'applied' | 'refused' | 'stale';

/** What the receiver answers. A message counts as delivered only when the attestation verifies. */
export interface PeerAnswer {
  readonly messageId: Uuid;
  readonly outcome: AnswerOutcome;
  /** The receiver's counter-attestation: a COSE_Sign1, standard base64. */
  readonly attestation: string;
  /** By the active key, of an attestation whose key was retired as compromised since. */
  readonly confirmation?: string;
  /** Home's next messages: a body of either route each. No hub key signs an answer. */
  readonly messages?: readonly (StateTransitionMessage | SignalMessage)[];
}

/** A refusal of a step or of an offer, as the problem document of the 422 tells it. */
export interface PeerRefusal {
  readonly outcome: 'refused';
  readonly attestation: string;
  /** As of an answer. */
  readonly confirmation?: string;
  readonly code: string;
  readonly detail: string;
  readonly currentState: string | null;
  readonly attemptedState: string | null;
}
