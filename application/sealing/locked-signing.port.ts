/**
 * Where the signatures of a unit of work are made. A signer that is slow signs outside of the transaction, and the unit runs
 * again with the signature at hand. A rotation cannot: it holds the lock that every signature shares, so that nothing is
 * signed meanwhile.
 */
export interface LockedSigning {
  /** What `work` asks to be signed is signed where it stands, while the locks of its unit of work are held. */
  within<T>(work: () => Promise<T>): Promise<T>;
}
