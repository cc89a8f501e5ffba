/** An answer that was given under an Idempotency-Key, kept for 24 hours. */
export interface KeptAnswer {
  readonly scope: Uint8Array;
  readonly fingerprint: Uint8Array;
  /** JSON text of the outcome, in no protocol's form. */
  readonly answer: string;
  /** True while the call is not done: a second unit of work of the same call will replace the answer. */
  readonly isProvisional: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Inside a unit of work, so that the key and the effect commit together. The scope is unique. */
export interface IdempotencyStore {
  insert(answer: KeptAnswer): Promise<void>;
  /** Replaces the answer of a scope that an earlier unit of work of the same call inserted. */
  replace(answer: KeptAnswer): Promise<void>;
}

export interface IdempotencyReads {
  /**
   * Null if there is none, or it is older than 24 hours.
   *
   * @throws NotaryError CONFLICT with reason payload_drift if the service did not write what is stored.
   */
  find(scope: Uint8Array): Promise<KeptAnswer | null>;
}
