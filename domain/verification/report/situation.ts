/** A situation in which a file is neither valid nor invalid. */
export type Situation =
  | 'unfinished'
  | 'unreadable'
  | 'too_large'
  | 'not_ours'
  | 'other_format'
  | 'key_needed'
  | 'no_key'
  | 'different_key'
  | 'compromised_key'
  | 'retired_key'
  | 'unknown_algorithm'
  | 'incomplete'
  | 'receipts'
  | 'other_hub'
  | 'kept_statement';

/** The keys of a file and the keys that the reader trusts, if none of them is the same; names for people. */
export interface DifferentKey {
  readonly signedBy: readonly string[];
  readonly trusted: readonly string[];
}
