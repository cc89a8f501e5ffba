import type { Uuid } from '../kernel/ids.ts';
import type { MessageRoute } from './message.ts';

/** A message of this hub: kept verbatim, and sent as it is kept. */
export interface OutgoingMessage {
  /** The local record. */
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly sequence: number;
  readonly messageId: Uuid;
  readonly route: MessageRoute;
  /** The whole body, UTF-8 of JSON. */
  readonly body: Uint8Array;
  /** Of the statement in `body`, SHA-256. */
  readonly statementHash: Uint8Array;
  /** ISO 8601. */
  readonly queuedAt: string;
  /** The peer's counter-attestation, verified; null until then. */
  readonly attestation: Uint8Array | null;
  readonly outcome: 'applied' | 'refused' | 'stale' | null;
  /** ISO 8601. */
  readonly answeredAt: string | null;
}

/** A message of the peer that was processed: the statement, the entries that it brought, and what was answered. */
export interface IncomingMessage {
  readonly recordId: Uuid;
  readonly peerHubId: Uuid;
  readonly sequence: number;
  readonly messageId: Uuid;
  readonly route: MessageRoute;
  /** As received. */
  readonly statement: Uint8Array;
  /** SHA-256 of the RFC 8785 form of its predicate without `at`: equal for a projection that was signed anew. */
  readonly payloadHash: Uint8Array;
  /** The peer's entries, COSE_Sign1 each. */
  readonly entries: readonly Uint8Array[];
  readonly outcome: 'applied' | 'refused';
  readonly code: string | null;
  /** This hub's own counter-attestation, which stands on the record's chain. */
  readonly attestation: Uint8Array;
  /** What a repetition is answered besides, as JSON: the members of a refusal; null for an applied one. */
  readonly refusal: string | null;
  readonly receivedAt: string;
}

/** An earlier signature of an outgoing message, whose key was retired as compromised. */
export interface FormerStatement {
  readonly recordId: Uuid;
  readonly sequence: number;
  readonly statementHash: Uint8Array;
  readonly statement: Uint8Array;
}

/** What a mirror keeps of the manifest that its record pins. */
export interface KeptManifest {
  readonly recordId: Uuid;
  /** The RFC 8785 form. */
  readonly manifest: string;
}

/** Federation inside a unit of work that holds the record. */
export interface FederationStore {
  /** @throws DuplicateError where another local record has the sequence. */
  queue(message: OutgoingMessage): Promise<void>;
  outgoing(recordId: Uuid, sequence: number): Promise<OutgoingMessage | null>;
  /** Writes attestation, outcome and answeredAt. */
  answered(message: OutgoingMessage): Promise<void>;
  /** Writes another signature of the same payload; the former one is kept. */
  signedAnew(message: OutgoingMessage, former: FormerStatement): Promise<void>;
  formerStatements(recordId: Uuid, sequence: number): Promise<readonly FormerStatement[]>;
  /** @throws DuplicateError where the sequence is taken. */
  keep(message: IncomingMessage): Promise<void>;
  incoming(recordId: Uuid, sequence: number): Promise<IncomingMessage | null>;
  keepManifest(kept: KeptManifest): Promise<void>;
  /** The local record that follows a record of a peer; null where there is none. */
  mirrorOf(peerHubId: Uuid, homeRecordId: Uuid): Promise<Uuid | null>;
  /** @throws DuplicateError where the peer's record has a mirror already. */
  follow(peerHubId: Uuid, homeRecordId: Uuid, recordId: Uuid): Promise<void>;
  /** Messages that the peer has not answered, in order of sequence. */
  unanswered(recordId: Uuid, limit: number): Promise<readonly OutgoingMessage[]>;
}

/** Committed rows, outside of a unit of work. */
export interface FederationReads {
  mirrorOf(peerHubId: Uuid, homeRecordId: Uuid): Promise<Uuid | null>;
  manifestOf(recordId: Uuid): Promise<KeptManifest | null>;
  /** In order of sequence. */
  outgoingOf(recordId: Uuid): Promise<readonly OutgoingMessage[]>;
  incomingOf(recordId: Uuid): Promise<readonly IncomingMessage[]>;
  formerStatementsOf(recordId: Uuid): Promise<readonly FormerStatement[]>;
  /** Local records that follow or are followed by a peer and have not ended, at most `limit` after an id. */
  openRecordsOf(peerHubId: Uuid, after: Uuid | null, limit: number): Promise<readonly Uuid[]>;
}
