import { DuplicateError, RetiredKeyError } from '../../../application/ports/unit-of-work.port.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

/**
 * The meaning of a driver's error.
 * - duplicate: a unique key is taken
 * - contention: the database aborted the work (deadlock, lock time-out, busy); nothing was written,
 *   so it can be tried again
 * - lost: the connection broke or the server is away; whether a COMMIT in progress took effect is
 *   unknown
 * - retired-key: a trigger refused what a key signed that is not the active one; nothing was written
 * - full: there is no space left; nothing was written
 * - read-only: the database accepts reads only; nothing was written
 * - damaged: the file, a table or an index does not hold what the database wrote there
 * - other: a defect, or a violated constraint of the schema
 */
export type Failure =
  'duplicate' | 'contention' | 'lost' | 'retired-key' | 'full' | 'read-only' | 'damaged' | 'other';

/** What the triggers on signed rows say; MySQL and SQLite both give it back in their errors. */
export const RETIRED_KEY_MESSAGE = 'the signing key is not active';

/** A driver's error that is none of the others. Its message may hold values, so it stays in `cause`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * The database aborted the transaction. This error never leaves the unit of work, which runs again.
 */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

/**
 * The connection broke before the COMMIT was sent, so nothing was written. The unit runs once more;
 * after that the error is reported as unavailable.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

export const unavailable = (cause: unknown): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The database cannot be reached; nothing was stored. Try again later.',
    { retryAfter: 2 },
    { cause },
  );

export const damaged = (cause: unknown): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The database is damaged, so this request cannot be answered; nothing was stored.',
    {
      retryAfter: 300,
      suggestion:
        'Report it to the operator of the service, who has to restore a backup. Send the request again after that.',
    },
    { cause },
  );

/** The error of a connection that could not be opened. */
export const notOpened = (error: unknown, failure: Failure): NotaryError =>
  failure === 'damaged' ? damaged(error) : unavailable(error);

export const overloaded = (cause: unknown): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The database is too busy; nothing was stored. Try again later.',
    { retryAfter: 1 },
    { cause },
  );

export const outcomeUnknown = (cause: unknown): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    'The database went away during the commit; whether it was stored is not known. Read before you try again.',
    { retryAfter: 2 },
    { cause },
  );

/**
 * The error for the caller of a read. A read is not repeated, so contention is reported as
 * overload.
 */
export const readFailure = (error: unknown, failure: Failure): Error => {
  if (error instanceof NotaryError) return error;
  if (failure === 'lost' || failure === 'full' || failure === 'read-only')
    return unavailable(error);
  if (failure === 'contention') return overloaded(error);
  if (failure === 'damaged') return damaged(error);
  return new DatabaseError('the database refused a query', { cause: error });
};

/** Turns the result of `classify` into the adapter's own error. */
export const translate = (error: unknown, failure: Failure, constraint: () => string): Error => {
  switch (failure) {
    case 'duplicate':
      return new DuplicateError(constraint(), { cause: error });
    case 'contention':
      return new ContentionError('the database gave way', { cause: error });
    case 'lost':
      return new ConnectionLostError('the connection to the database is lost', { cause: error });
    case 'retired-key':
      return new RetiredKeyError('what a retired key signed was refused', { cause: error });
    case 'full':
      return new NotaryError(
        'SERVICE_UNAVAILABLE',
        'The disk of the database is full; nothing was stored. Reads are answered. Try again when the operator has made room.',
        { retryAfter: 60 },
        { cause: error },
      );
    case 'read-only':
      return new NotaryError(
        'SERVICE_UNAVAILABLE',
        'The database accepts reads only; nothing was stored. Try again when the operator has made it writable.',
        { retryAfter: 60 },
        { cause: error },
      );
    case 'damaged':
      return damaged(error);
    case 'other':
      return new DatabaseError('the database refused a statement', { cause: error });
  }
};
