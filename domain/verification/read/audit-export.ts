import type { JsonObject, JsonValue } from '../../kernel/canonical-json.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { VaultAlgorithm } from '../../vault/algorithm.ts';
import type { Canonicalization, Statement } from '../../vault/statement.ts';

/**
 * The audit export of one record, as JSON. Times are ISO 8601 UTC with milliseconds, hashes lowercase hex SHA-256,
 * bytes canonical base64 (standard alphabet, padded). No member may be missing, none added.
 */
export interface AuditExport {
  readonly formatVersion: '1.0';
  /** The form of new statements at export time; each entry says its own in its content type. */
  readonly canonicalization: Canonicalization;
  readonly exportedAt: string;
  readonly service: { readonly baseUrl: string; readonly hubId: Uuid; readonly version: string };
  readonly record: AuditExportRecord;
  /** The registered one; every entry that states what the record is seals its digest. */
  readonly manifest: JsonObject;
  /** The principal and, where there is another, the performer. */
  readonly parties: readonly AuditExportParty[];
  readonly chain: {
    readonly chainKey: Uuid;
    readonly head: { readonly position: number; readonly hash: string };
    readonly entries: readonly AuditExportEntry[];
  };
  /** Every key of the hub, and every key statement in order of `position` on the platform chain. */
  readonly keys: readonly AuditExportKey[];
  readonly keyStatements: readonly AuditExportKeyStatement[];
  /** One for each retired key that signed an entry of this chain. */
  readonly retirements: readonly AuditExportRetirement[];
  /** The entries of the platform chain that say of entries of this chain that they were lost, in their order. */
  readonly acknowledgements: readonly AuditExportAcknowledgement[];
  /** Of the head, made at export time; null where none could be made. */
  readonly checkpoint: AuditExportCheckpoint | null;
  /** All of this chain, in order of log index; the closing one may be among them. */
  readonly checkpoints: readonly AuditExportCheckpoint[];
  /** The newest round, where its root covers `checkpoint`; null until there is one. */
  readonly log: AuditExportLog | null;
  /** What this hub and the peer signed for each other of the record; null where the record is of this hub alone. */
  readonly federation: AuditExportFederation | null;
  readonly verificationGuide: {
    readonly summary: string;
    readonly steps: readonly string[];
    readonly evidenceBinding: string;
    readonly commands: readonly string[];
    /** Where the verifier comes from. */
    readonly verifier: string;
  };
}

/** Who a party is. The ids follow from the chain; the names are those of today, and nothing seals them. */
export interface AuditExportParty {
  readonly agentId: Uuid;
  /** Null where the agent is on another hub, which says what it is called; so are the names. */
  readonly orgId: Uuid | null;
  readonly name: string | null;
  readonly orgName: string | null;
}

/** Every member follows from the chain, or from the manifest that the chain seals, and is compared with it. */
export interface AuditExportRecord {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly type: string;
  readonly publisher: string;
  readonly contractVersion: number;
  readonly manifestDigest: string;
  readonly platform: string;
  readonly platformRef: string | null;
  readonly gateMode: string;
  readonly operatingMode: string;
  readonly status: string;
  /** The agreed ones, or those first proposed; a counter-proposal that is on the table stands beside them. */
  readonly criteria: JsonObject;
  readonly criteriaHash: string;
  readonly principalAgentId: Uuid;
  readonly performerAgentId: Uuid | null;
  readonly parentRecordId: Uuid | null;
  readonly rootRecordId: Uuid;
  readonly depth: number;
  readonly awaiting: string | null;
  readonly revisionCount: number;
  readonly maxRevisions: number;
  readonly latestCompletionId: Uuid | null;
  readonly cancelledBy: string | null;
  readonly disputed: boolean;
  readonly openDisputeId: Uuid | null;
  readonly disputeCount: number;
  readonly counterProposal: JsonObject | null;
  readonly references: readonly JsonObject[];
  readonly onBehalfOf: JsonObject | null;
  readonly federation: AuditExportPeer | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly activatedAt: string | null;
  readonly terminalAt: string | null;
  readonly updatedAt: string;
}

/** The peer of a record, as the record's own chain names it. */
export interface AuditExportPeer {
  readonly role: 'home' | 'mirror';
  readonly peerHubId: Uuid;
  /** Why the hubs tell each other no more; null as long as they do. */
  readonly detached: string | null;
}

export interface AuditExportFederation {
  readonly role: 'home' | 'mirror';
  readonly peerHubId: Uuid;
  /** Null at home as long as the peer has attested nothing. */
  readonly peerRecordId: Uuid | null;
  /** SHA-256 of the SPKI of the key at position 1 of the peer's platform chain, as it was registered here. */
  readonly vaultRoot: string;
  /** The peer's, in order of `position` on its platform chain. */
  readonly keyStatements: readonly AuditExportKeyStatement[];
  /**
   * What was sent, then what was received, each in order of `sequence`. A message that was signed anew stands twice, and so
   * does a sequence under which the peer signed two different statements, with PEER_EQUIVOCATION as the second's attestation.
   */
  readonly statements: readonly AuditExportMessage[];
}

export interface AuditExportMessage {
  /** `out`: signed here. `in`: signed by the peer. */
  readonly direction: 'out' | 'in';
  readonly sequence: number;
  /** The signed projection or signal, as it was sent. */
  readonly coseSign1: string;
  /** The sender's entries that came with it; none of an equivocation's second statement. */
  readonly entries: readonly string[];
  /** What the receiver signed of it; null where it has not answered. */
  readonly attestation: string | null;
}

export interface AuditExportEntry {
  readonly position: number;
  readonly entryType: string;
  readonly hash: string;
  readonly previousHash: string;
  readonly signingKeyId: string;
  readonly algorithm: VaultAlgorithm;
  readonly createdAt: string;
  readonly coseSign1: string;
  /** The decoded payload. */
  readonly statement: Statement;
  /** At COMPLETION_SUBMITTED only, and only where it was asked for. */
  readonly evidence?: JsonValue;
  /** What a party said, at the entry that seals its hash, and only where it was asked for. */
  readonly content?: JsonObject;
  /** The raw body of the co-signed request, beside a sealed `coSignature`. Empty where the request had none. */
  readonly request?: string;
}

export interface AuditExportKey {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  readonly coseAlgorithm: number;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: string;
  /** 32 bytes, or 65-byte SEC1 for P-256. */
  readonly publicKeyRaw: string;
  readonly status: 'active' | 'retired';
  readonly activatedAt: string;
  readonly retiredAt: string | null;
  readonly minVerifierVersion: string;
}

export interface AuditExportKeyStatement {
  readonly keyId: string;
  readonly statement: 'activated' | 'retired';
  readonly position: number;
  readonly coseSign1: string;
}

export interface AuditExportCheckpoint {
  readonly id: Uuid;
  readonly logIndex: number;
  readonly chainKind: 'record' | 'schema' | 'admin';
  readonly chainKey: string;
  readonly position: number;
  readonly headHash: string;
  readonly signingKeyId: string;
  readonly createdAt: string;
  readonly coseSign1: string;
}

/** An inclusion proof of RFC 9162 section 2.1.3, the sibling of the leaf first. */
export interface AuditExportInclusion {
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly path: readonly string[];
}

/** The newest checkpoint of this chain by a retired key, in the log of which its KEY_RETIRED seals the root. */
export interface AuditExportRetirement {
  readonly keyId: string;
  readonly checkpoint: { readonly logIndex: number; readonly coseSign1: string };
  readonly inclusion: AuditExportInclusion;
}

/** An entry REWIND_ACKNOWLEDGED of the platform chain. */
export interface AuditExportAcknowledgement {
  readonly position: number;
  readonly coseSign1: string;
}

export interface AuditExportLog {
  /** A checkpoint of the platform chain, with size and root of the log before it. */
  readonly coseSign1: string;
  readonly inclusion: AuditExportInclusion;
  /** RFC 3161 TimeStampToken, DER, over its signature (`3161-ctt` of RFC 9921). */
  readonly timestampToken?: string;
}
