import { DuplicateError } from '../../application/unit-of-work.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * What a driver's error means.
 * - duplicate: a unique key is taken
 * - contention: the database gave way (deadlock, lock time-out, busy); nothing was written, so try again
 * - lost: the connection broke or the server is away; whether a COMMIT under way took place is unknown
 * - full: there is no room; nothing was written
 * - other: a defect, or a rule of the schema that was broken
 */
export type Failure = 'duplicate' | 'contention' | 'lost' | 'full' | 'other';

/** A driver's error that is none of the others. Its message may hold values, so it stays in `cause`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** The database gave way and the transaction is gone. Never leaves the unit of work, which runs it again. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

/** The connection broke before the COMMIT was sent: nothing was written. Tried again once, then it comes out as unavailable. */
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

/** What a read's caller is told: it cannot run again by itself, so contention means overload. */
export const readFailure = (error: unknown, failure: Failure): Error => {
  if (error instanceof NotaryError) return error;
  if (failure === 'lost') return unavailable(error);
  if (failure === 'contention') return overloaded(error);
  return new DatabaseError('the database refused a query', { cause: error });
};

/** Turns what `classify` found into the adapter's own error. */
export const translate = (error: unknown, failure: Failure, constraint: () => string): Error => {
  switch (failure) {
    case 'duplicate':
      return new DuplicateError(constraint(), { cause: error });
    case 'contention':
      return new ContentionError('the database gave way', { cause: error });
    case 'lost':
      return new ConnectionLostError('the connection to the database is lost', { cause: error });
    case 'full':
      return new NotaryError(
        'SERVICE_UNAVAILABLE',
        'The database has no room left; nothing was stored.',
        { retryAfter: 60 },
        { cause: error },
      );
    case 'other':
      return new DatabaseError('the database refused a statement', { cause: error });
  }
};
