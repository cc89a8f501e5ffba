import { sha256Hex } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { MessageRoute } from './message.ts';

/** A message of this hub: kept verbatim, and sent as it is kept. */
export interface OutgoingMessage {
  readonly messageId: Uuid;
  /** The local record. */
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly sequence: number;
  readonly route: MessageRoute;
  /** The whole body, UTF-8 of JSON. */
  readonly body: Uint8Array;
  /** Of the statement in `body`, SHA-256, lowercase hex. */
  readonly statementHash: string;
  /** The statements of the same payload that were sent before it was signed anew, the oldest first. */
  readonly former: readonly Uint8Array[];
  /** Position in the local chain of the newest of its entries. */
  readonly position: number;
  /** ISO 8601. */
  readonly queuedAt: string;
  readonly answer: KeptAnswer | null;
}

/** Whether these are the bytes of the message's statement, or of one that it had before. */
export const isStatementOf = (
  { statementHash, former }: Pick<OutgoingMessage, 'statementHash' | 'former'>,
  hash: unknown,
): boolean => hash === statementHash || former.some((bytes) => sha256Hex(bytes) === hash);

/** What the peer said of a message, once its attestation was verified. */
export interface KeptAnswer {
  readonly outcome: 'applied' | 'refused';
  /** The peer's counter-attestation. */
  readonly attestation: Uint8Array;
  readonly answeredAt: string;
}

/** A message of the peer that was processed: the statement, the entries that it brought, and what was answered. */
export interface IncomingMessage {
  readonly messageId: Uuid;
  /** The local record. */
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly sequence: number;
  readonly route: MessageRoute;
  /** As received. */
  readonly statement: Uint8Array;
  /** SHA-256 of the RFC 8785 form of its predicate without `at`, lowercase hex: that of a projection signed anew. */
  readonly payloadHash: string;
  /** The peer's entries, COSE_Sign1 each. */
  readonly entries: readonly Uint8Array[];
  readonly outcome: 'applied' | 'refused';
  /** This hub's own counter-attestation, which stands on the record's chain. */
  readonly attestation: Uint8Array;
  /** The words of a refusal, which a repetition is given again; null of what was applied. */
  readonly refusal: KeptRefusal | null;
  readonly receivedAt: string;
  /** Null unless the peer signed the sequence twice. */
  readonly equivocation: Equivocation | null;
}

/** The second statement of a peer under one sequence. With the first it is the proof, for the peer signed both. */
export interface Equivocation {
  /** As received. */
  readonly statement: Uint8Array;
  /** This hub's PEER_EQUIVOCATION, which stands on the record's chain. */
  readonly attestation: Uint8Array;
}

export interface KeptRefusal {
  readonly code: string;
  readonly detail: string;
  readonly currentState: string | null;
  readonly attemptedState: string | null;
}

/** Which record of a peer a local one follows, and the manifest that it pins. */
export interface Mirror {
  /** The local record. */
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly homeRecordId: Uuid;
  /** The RFC 8785 form. The record seals its digest. */
  readonly manifest: string;
}

/** Federation inside a unit of work that holds the record. Rows are under a MAC. */
export interface FederationStore {
  /** The unit of work fails with DuplicateError where the sequence is taken. */
  queue(message: OutgoingMessage): Promise<void>;
  outgoing(recordId: Uuid, sequence: number): Promise<OutgoingMessage | null>;
  /** The newest messages from a sequence down, at most `limit`. */
  outgoingDown(recordId: Uuid, from: number, limit: number): Promise<readonly OutgoingMessage[]>;
  /** A message that has another statement from now on; the former ones are kept. */
  signedAnew(message: OutgoingMessage): Promise<void>;
  answered(messageId: Uuid, answer: KeptAnswer): Promise<void>;
  /** The unit of work fails with DuplicateError where the sequence is taken. */
  keep(message: IncomingMessage): Promise<void>;
  /** Beside the first statement of the sequence. @throws CONFLICT with reason payload_drift where that one is gone. */
  equivocated(recordId: Uuid, sequence: number, second: Equivocation): Promise<void>;
  incoming(recordId: Uuid, sequence: number): Promise<IncomingMessage | null>;
  /** From a sequence down, at most `limit`. */
  incomingDown(recordId: Uuid, from: number, limit: number): Promise<readonly IncomingMessage[]>;
  /** The unit of work fails with DuplicateError where the peer's record has a mirror. */
  follow(mirror: Mirror): Promise<void>;
  /** @throws CONFLICT with reason payload_drift where a record follows that one, and the row that says so is gone. */
  mirrorOf(peerHubId: Uuid, homeRecordId: Uuid): Promise<Uuid | null>;
  /** The record here that says of the peer's record that it is its mirror. */
  homeOf(peerHubId: Uuid, mirrorId: Uuid): Promise<Uuid | null>;
  /** Takes what was not answered of a record out of its lane: nobody is told of it any more. */
  silence(recordId: Uuid): Promise<void>;
  /** Puts every message without an answer back in its lane. @returns how many were in none. */
  rejoin(recordId: Uuid): Promise<number>;
}

export interface OutOfLane {
  readonly recordIds: readonly Uuid[];
  readonly next: Uuid | null;
}

/** Committed rows, outside of a unit of work. */
export interface FederationReads {
  /** As in a unit of work. */
  mirrorOf(peerHubId: Uuid, homeRecordId: Uuid): Promise<Uuid | null>;
  mirror(recordId: Uuid): Promise<Mirror | null>;
  /** In order of sequence. */
  outgoingOf(recordId: Uuid): Promise<readonly OutgoingMessage[]>;
  incomingOf(recordId: Uuid): Promise<readonly IncomingMessage[]>;
  incomingAt(recordId: Uuid, sequence: number): Promise<IncomingMessage | null>;
  /**
   * Of the records with messages that no answer came of, in order of id after one, at most `limit` are looked at.
   *
   * @returns those of which a message is in no lane, and the id to go on after; null where none are left.
   */
  outOfLane(after: Uuid | null, limit: number): Promise<OutOfLane>;
  /**
   * Local records that a peer has to do with and that are not detached, in order of id, at most `limit` after one.
   *
   * @param but left out: those that were shared under this registration of the peer; null for none.
   */
  attachedTo(
    peerHubId: Uuid,
    but: number | null,
    after: Uuid | null,
    limit: number,
  ): Promise<readonly Uuid[]>;
}
