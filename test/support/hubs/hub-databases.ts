import type { DatabaseKind, TestDatabase } from '../databases/databases.ts';
import { freshSecrets } from '../databases/stored-chains.ts';

/** A database of its own for each hub of a test. */
export class HubDatabases {
  private readonly own: TestDatabase[] = [];

  /** In the order in which the hubs were started. */
  get all(): readonly TestDatabase[] {
    return this.own;
  }

  constructor(private readonly kind: DatabaseKind) {}

  /** What a hub is started with. */
  readonly env = async (): Promise<Readonly<Record<string, string>>> => {
    const database = await this.kind.open({ migrated: false });
    this.own.push(database);
    return { DATABASE_URL: database.url, ...freshSecrets() };
  };

  async drop(): Promise<void> {
    for (const database of this.own) await database.drop();
  }
}
