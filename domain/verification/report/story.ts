import type { ActorClaim } from '../../vault/statement.ts';
import type { Side } from '../../record/record-state.ts';

/**
 * What a file tells of a record, for people: who, when, and what was decided. Every text of it is fit for a terminal:
 * cut, and without control or direction characters. What a file brings stands in double quotes inside `text` and
 * `details`, so it cannot pass for words of the verifier.
 */
export interface Story {
  /** True where the file was found valid. Otherwise this is what the file says, and nothing more. */
  readonly verified: boolean;
  readonly verdict: Standing['verdict'];
  /** What a reader has to know before the story; empty where it is shown whole and to its end. */
  readonly caveats: readonly string[];
  /** Null where no step could be read. */
  readonly record: StoryRecord | null;
  readonly signedBy: readonly StoryKey[];
  readonly parties: {
    /** The ids are sealed, the names are not. */
    readonly namesSealed: false;
    readonly principal: StoryParty | null;
    /** Null as long as there is none. */
    readonly performer: StoryParty | null;
  };
  /** In the order of the chain; of a long one the first and the last. */
  readonly steps: readonly StoryStep[];
  /** How many steps between those first and last ones are not told. */
  readonly stepsLeftOut: number;
  /** After how many of `steps` they are missing; null where none is. */
  readonly leftOutAfter: number | null;
  readonly outcome: StoryOutcome | null;
}

/** What a file of ours is. */
export type EvidenceKind = 'audit-export' | 'signed-statement' | 'attestation' | 'sigstore-bundle';

/** How far a verification lets anyone rely on a file. */
export interface Standing {
  readonly kind: EvidenceKind | null;
  readonly verdict: 'valid' | 'invalid' | 'cannot_tell';
  /** Why nothing is proven, in a title; null unless the verdict is `cannot_tell`. */
  readonly why: string | null;
  /** What the verdict rests on. */
  readonly trust: 'out_of_band' | 'embedded' | 'none';
  readonly failureCount: number;
  /** Of the entries at which something failed. */
  readonly failedPositions: ReadonlySet<number>;
}

export interface StoryRecord {
  readonly recordId: string;
  readonly orgId: string;
  /** Not sealed; null where the file does not say. */
  readonly orgName: string | null;
  readonly type: string;
  readonly publisher: string;
  readonly version: number;
  readonly platform: string | null;
  readonly platformRef: string | null;
  /** Who decides: the principal, or the gates of the type. */
  readonly decidedBy: 'principal' | 'gates' | null;
  readonly encrypted: boolean | null;
  readonly parentRecordId: string | null;
  /** Of the criteria that are agreed, or were proposed last. */
  readonly criteriaHash: string;
  /** The criteria as JSON, cut; null where the file does not show those that were sealed, or they are encrypted. */
  readonly criteria: string | null;
}

export interface StoryKey {
  readonly keyId: string;
  /** SHA-256 of its SPKI, lowercase hex; null where no key statement activates it. */
  readonly fingerprint: string | null;
}

export interface StoryParty {
  readonly agentId: string;
  readonly orgId: string | null;
  readonly name: string | null;
  readonly orgName: string | null;
}

/** A party as a file names it. */
export interface NamedParty {
  readonly agentId: string;
  readonly orgId: string | null;
  readonly name: string | null;
  readonly orgName: string | null;
}

export interface StoryActor extends StoryParties {
  readonly kind: ActorClaim['kind'];
  /** On whose side they stand by what is sealed; an admin may stand on both. */
  readonly sides: readonly Side[];
  readonly agentId: string | null;
  readonly orgId: string | null;
}

interface StoryParties {
  /** Not sealed; null where the file does not say. */
  readonly name: string | null;
  readonly orgName: string | null;
}

export interface StoryStep {
  /** Null where the entry does not say. */
  readonly position: number | null;
  /** Sealed, ISO 8601 with milliseconds. Null, as are all below but `text`, where the entry could not be read. */
  readonly at: string | null;
  readonly entryType: string | null;
  /** Null in a signal, which moves nothing. */
  readonly transition: { readonly from: string | null; readonly to: string } | null;
  readonly actor: StoryActor | null;
  /** What they did, as the end of a sentence that begins with the actor. */
  readonly text: string;
  readonly details: readonly string[];
  /** Whether the actor signed the request with a key of its own. */
  readonly coSigned: boolean;
  /** Whether the report names a failure at this position. */
  readonly failed: boolean;
}

export interface StoryOutcome {
  readonly status: string;
  /** Since when. */
  readonly at: string;
  readonly isFinal: boolean;
  readonly text: string;
}
