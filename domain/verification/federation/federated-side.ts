import type { JsonObject } from '../../kernel/canonical-json.ts';
import type { FederationClaim } from '../../record/record-statement.ts';
import type { AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import type { AuditExportMessage } from '../read/audit-export.ts';

/** One hub's file about a record of two hubs, as far as the other hub's file is held against it. */
export interface FederatedSide {
  readonly hubId: string;
  /** Of the record on this hub, and its id. */
  readonly chainKey: string;
  readonly claim: FederationClaim;
  readonly peerRecordId: string | null;
  /** SHA-256 of the SPKI of this hub's first key, and of the peer's as it was registered here. */
  readonly root: string | null;
  readonly peerRoot: string;
  /** SHA-256 of the key statements, in their order: of this hub, and of the peer as this hub knows them. */
  readonly keys: readonly string[];
  readonly peerKeys: readonly string[];
  /** When the file holds this hub's chain to its end; null where that is not shown. */
  readonly completeAsOf: string | null;
  /** Of this hub's chain: what a platform key of it acknowledged to be gone in a rewind. */
  readonly losses: readonly AcknowledgedLoss[];
  /** Of this hub's chain, in order. */
  readonly entries: readonly SideEntry[];
  readonly messages: readonly SideMessage[];
}

export interface SideEntry {
  readonly position: number;
  readonly hash: string;
  readonly entryType: string;
  readonly predicate: JsonObject;
}

/** A message as one of the hubs keeps it. */
export interface SideMessage extends Pick<AuditExportMessage, 'direction' | 'sequence'> {
  readonly hash: string;
  readonly predicate: JsonObject;
  /** SHA-256 of the RFC 8785 form of the predicate without `at`. */
  readonly payload: string;
  readonly isSignal: boolean;
  /** Signed by a key that was retired as compromised. */
  readonly isDoubtful: boolean;
  /** The second that its sender signed under the sequence; it was refused, and its entries are not kept. */
  readonly isSecond: boolean;
  readonly entries: readonly SentEntry[];
  readonly attestation: SideAttestation | null;
}

/** An entry that came with a message. */
export interface SentEntry {
  /** Null where it cannot be read. */
  readonly position: number | null;
  readonly hash: string;
  readonly at: string;
}

export interface SideAttestation {
  readonly hash: string;
  /** Null of a refused offer, which stands on no chain. */
  readonly position: number | null;
  readonly statementHash: string;
  readonly outcome: string;
  readonly at: string;
}
