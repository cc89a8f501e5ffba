import type { ChainKey } from './chain-key.ts';

/** `rewound`: the chain is shorter than a checkpoint says, or another. `missing_locally`: it is not there at all. */
export type RewindKind = 'rewound' | 'missing_locally';

/** A chain that is not the one that a signed checkpoint shows. Hashes are 32 bytes, times ISO 8601 with milliseconds. */
export interface RewindFinding {
  readonly chainKey: ChainKey;
  readonly finding: RewindKind;
  readonly localPosition: number;
  /** Null where the chain has no entry. */
  readonly localHash: Uint8Array | null;
  /** Where the checkpoint saw the chain end. */
  readonly anchoredPosition: number;
  readonly anchoredHash: Uint8Array;
  /** SHA-256 of the checkpoint's COSE bytes. */
  readonly checkpointHash: Uint8Array;
  /** The key that signed it is not in the succession any more: what was lost held its statement. */
  readonly isKeyLost: boolean;
  readonly detectedAt: string;
  readonly acknowledgedAt: string | null;
}

/** The members of REWIND_ACKNOWLEDGED. Hashes are lowercase hex. */
export interface RewindAcknowledged {
  readonly chainKey: ChainKey;
  /** The positions whose entries are lost, both ends included. */
  readonly lostRange: { readonly from: number; readonly to: number };
  /** Hash of the last of them. */
  readonly lostHead: string;
  /** SHA-256 of the checkpoint that shows it. */
  readonly checkpoint: string;
  readonly reason: string | null;
}

/** What is certain to be lost: where both have an entry, that one is another; what lies before may be the same. */
export const lostRangeOf = ({
  localPosition,
  anchoredPosition,
}: Pick<RewindFinding, 'localPosition' | 'anchoredPosition'>): RewindAcknowledged['lostRange'] => ({
  from: Math.min(localPosition + 1, anchoredPosition),
  to: anchoredPosition,
});
