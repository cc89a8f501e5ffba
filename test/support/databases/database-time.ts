import { SQLITE } from '../../../adapters/sql/sqlite/sqlite.ts';

/** Runs something while the embedded database of this process reads a clock that is some seconds ahead. */
export const atDatabaseTime = async <T>(
  secondsAhead: number,
  act: () => Promise<T>,
): Promise<T> => {
  const dialect = SQLITE as { now: string };
  const { now } = dialect;
  dialect.now = `(${now} + ${secondsAhead * 1000})`;
  try {
    return await act();
  } finally {
    dialect.now = now;
  }
};
