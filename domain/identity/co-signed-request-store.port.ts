import type { CoSignedRequest } from './co-signed-request.ts';

/**
 * Inside a unit of work. Keeps the bodies of co-signed requests beside the entries that they made, for as long as there
 * are entries: nothing is ever changed or deleted.
 */
export interface CoSignedRequestStore {
  /**
   * Links an entry that this unit of work appends to its request. The body is written once, however many entries the
   * request makes. Inserts may be deferred to the commit.
   */
  keep(
    request: Pick<CoSignedRequest, 'id' | 'body' | 'isKept'>,
    entry: { readonly chainKey: string; readonly position: number },
  ): Promise<void>;
}

/** Committed rows, outside of a unit of work. They are not to be believed: compare with `coSignedHash`. */
export interface CoSignedRequestReads {
  /** The body of the request that an entry was made by; null where none is kept. */
  at(chainKey: string, position: number): Promise<Uint8Array | null>;
}
