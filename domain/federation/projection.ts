import type { Uuid } from '../kernel/ids.ts';
import type { Action } from '../record/actions.ts';
import type { RecordStatus } from '../record/record-status.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';

/** A side of a federated record, as the hub that it lives on names it. */
export interface FederatedParty {
  readonly hubId: Uuid;
  /** Null in the offer's performer: home learns it from the first attestation. */
  readonly orgId: Uuid | null;
  readonly agentId: Uuid;
  /** To which content for this party is encrypted. */
  readonly encryptionKeyJwk?: JsonObject;
  /** By which co-signatures of this party verify. */
  readonly signingKeys?: readonly JsonObject[];
}

/** What a hub signs for its peer of one step of a record. Both hubs name the record by home's id. */
export interface ProjectionPredicate {
  /** ISO 8601 with milliseconds; a projection that is signed anew differs in nothing else. */
  readonly at: string;
  readonly recordId: Uuid;
  readonly originHubId: Uuid;
  readonly toHubId: Uuid;
  readonly sequence: number;
  readonly action: Action;
  readonly state: RecordStatus;
  readonly principal: FederatedParty;
  readonly performer: FederatedParty | null;
  /** Of the last of the message's entries in the sender's chain. */
  readonly position: number;
  readonly headHash: string;
  /** The highest sequence of the peer that the sender has processed; 0 before the first. */
  readonly ack: number;
}

/** What home signs for its peer of a signal: the sealed signal's members, and where it belongs. */
export interface SignalProjectionPredicate {
  readonly entryType: 'SIGNAL_EMITTED';
  readonly at: string;
  readonly requestId: string;
  readonly actor: JsonObject;
  readonly signalId: Uuid;
  readonly supersedes?: Uuid;
  readonly recommendation: 'SETTLE' | 'HOLD' | 'RELEASE';
  readonly outcome: RecordStatus;
  readonly performerAgentId: Uuid | null;
  readonly platformRef: string | null;
  readonly recordId: Uuid;
  readonly disputeId?: Uuid;
  readonly originHubId: Uuid;
  readonly toHubId: Uuid;
  readonly sequence: number;
}
