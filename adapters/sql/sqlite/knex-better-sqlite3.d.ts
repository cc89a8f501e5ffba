/** Knex ships no types for its dialects' modules. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex';
  export default class BetterSqlite3Client extends Knex.Client {
    constructor(config: Knex.Config);
    connectionSettings: { filename: string };
    _driver(): unknown;
    _query(connection: unknown, query: unknown): Promise<unknown>;
    transaction(container: unknown, config: unknown, outer: unknown): Knex.Transaction;
  }
}
