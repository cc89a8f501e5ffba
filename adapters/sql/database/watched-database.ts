import type { Database } from '../base/database.ts';
import type { RawReader } from '../base/session.ts';

/** A database that reports every error of its reads, its pings and the beginning of its transactions. */
export const watchedDatabase = (database: Database, report: (error: unknown) => void): Database => {
  const watch = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      report(error);
      throw error;
    }
  };
  const reader = (of: RawReader): RawReader => ({
    all: <Row>(...asked: Parameters<RawReader['all']>) => watch(() => of.all<Row>(...asked)),
  });
  return {
    ...database,
    read: reader(database.read),
    readWide: database.readWide && reader(database.readWide),
    begin: () => watch(() => database.begin()),
    snapshot: (work) => watch(() => database.snapshot(work)),
    ping: () => watch(() => database.ping()),
  };
};
