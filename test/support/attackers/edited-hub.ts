import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { createConnection } from 'mysql2/promise';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { loadSettings } from '../../../config/settings.ts';
import type { Settings } from '../../../config/settings-table.ts';
import type { TestDatabase } from '../databases/databases.ts';
import { NO_LIMITS } from '../service/service-process.ts';
import { startWatched } from '../service/watched-service.ts';
import { Client, createWorld, type World } from '../service/world.ts';

export type SqlValue = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** The trigger that refuses nothing: what it writes is edited as everything else. */
const WRITES = 'completions_timed';

/** A running service, and its database as somebody else's connection writes it: without triggers or foreign keys. */
export class EditedHub {
  private constructor(
    readonly service: RunningService,
    readonly world: World,
    private readonly sql: Sql,
    private readonly settings: Settings,
    private readonly directory: string,
  ) {}

  static async start(
    { kind, url }: TestDatabase,
    env: Readonly<Record<string, string>> = {},
  ): Promise<EditedHub> {
    const directory = await mkdtemp(join(tmpdir(), 'notary-edited-'));
    const { settings } = loadSettings(
      {
        NODE_ENV: 'test',
        PORT: '0',
        DATABASE_URL: url,
        DATA_DIR: join(directory, 'data'),
        KEYS_DIR: join(directory, 'keys'),
        // No jobs: only what the test does changes anything.
        ROLE: 'api',
        ...secrets(),
        ...NO_LIMITS,
        ...env,
      },
      { cwd: directory },
    );
    const service = await startWatched(settings);
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    const sql = kind === 'sqlite' ? sqliteOf(url) : await mysqlOf(url);
    for (const trigger of await sql.triggers())
      if (trigger !== WRITES) await sql.run(`DROP TRIGGER ${trigger}`);
    const world = await createWorld(String(service.url), apiKey);
    return new EditedHub(service, world, sql, settings, directory);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.sql.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Another node: it starts on the database as it is, answers, and stops. */
  async elsewhere<T>(
    act: (world: World, node: RunningService) => Promise<T>,
    settings: Partial<Settings> = {},
  ): Promise<T> {
    const node = await startWatched({ ...this.settings, ...settings, PORT: 0 });
    try {
      return await act(worldAt(this.world, String(node.url)), node);
    } finally {
      await node.stop();
    }
  }

  columns(): Promise<readonly Column[]> {
    return this.sql.columns();
  }

  async row(table: string, where: string): Promise<Row> {
    const [row, ...others] = await this.sql.run(`SELECT * FROM ${table} WHERE ${where}`);
    if (!row || others.length > 0)
      throw new Error(`${1 + others.length} rows of ${table} where ${where}`);
    return row;
  }

  /** A condition that finds the first row of a table. */
  async any(table: string, key: string): Promise<string> {
    const [row] = await this.sql.run(`SELECT * FROM ${table} ORDER BY \`${key}\` LIMIT 1`);
    if (!row) throw new Error(`no row of ${table}`);
    return this.is(key, row[key] ?? null);
  }

  async set(table: string, column: string, value: SqlValue, where: string): Promise<void> {
    await this.sql.run(
      `UPDATE ${table} SET \`${column}\` = ${this.sql.literal(value)} WHERE ${where}`,
    );
  }

  async remove(table: string, where: string): Promise<void> {
    await this.sql.run(`DELETE FROM ${table} WHERE ${where}`);
  }

  is(column: string, value: SqlValue): string {
    return `\`${column}\` = ${this.sql.literal(value)}`;
  }

  /** How much was signed, or told of records, so far. */
  async signed(): Promise<string> {
    const counts = await Promise.all(
      ['chain_entries', 'vault_checkpoints', 'outbox WHERE record_id IS NOT NULL'].map((rows) =>
        this.sql.run(`SELECT COUNT(*) AS n FROM ${rows}`),
      ),
    );
    return counts.map(([row]) => String(row?.['n'])).join(' ');
  }
}

const secrets = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'].map((name) => [
      name,
      randomBytes(32).toString('base64'),
    ]),
  );

const worldAt = (world: World, url: string): World => {
  const at = (client: Client): Client => new Client(url, client.key);
  return {
    ...world,
    url,
    platform: at(world.platform),
    admin: at(world.admin),
    anonymous: at(world.anonymous),
    principal: { ...world.principal, client: at(world.principal.client) },
    performer: { ...world.performer, client: at(world.performer.client) },
  };
};

interface Sql {
  run(text: string): Promise<readonly Row[]>;
  triggers(): Promise<readonly string[]>;
  columns(): Promise<readonly Column[]>;
  literal(value: SqlValue): string;
  close(): Promise<void>;
}

const hex = (value: Uint8Array | string): string => Buffer.from(value).toString('hex');

const sqliteOf = (url: string): Sql => {
  const database = new DatabaseSync(url.replace('sqlite://', ''), {
    timeout: 5_000,
    enableForeignKeyConstraints: false,
  });
  const run = (text: string): Promise<readonly Row[]> =>
    Promise.resolve(database.prepare(text).all() as Row[]);
  return {
    run,
    triggers: async () =>
      (await run("SELECT name FROM sqlite_master WHERE type = 'trigger'")).map((row) =>
        String(row['name']),
      ),
    columns: async () =>
      (
        await run(
          "SELECT t.name AS tbl, c.name AS name, c.type AS type FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
        )
      ).map(columnOf),
    literal: (value) =>
      value === null
        ? 'NULL'
        : typeof value === 'number'
          ? String(value)
          : typeof value === 'string'
            ? `CAST(X'${hex(value)}' AS TEXT)`
            : `X'${hex(value)}'`,
    close: () => Promise.resolve(database.close()),
  };
};

const mysqlOf = async (url: string): Promise<Sql> => {
  const connection = await createConnection(url);
  await connection.query('SET FOREIGN_KEY_CHECKS = 0');
  const run = async (text: string): Promise<readonly Row[]> => {
    const [rows] = await connection.query(text);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  };
  return {
    run,
    triggers: async () =>
      (
        await run(
          'SELECT trigger_name AS name FROM information_schema.triggers WHERE trigger_schema = DATABASE()',
        )
      ).map((row) => String(row['name'])),
    columns: async () =>
      (
        await run(
          'SELECT table_name AS tbl, column_name AS name, column_type AS type FROM information_schema.columns WHERE table_schema = DATABASE()',
        )
      ).map(columnOf),
    literal: (value) =>
      value === null
        ? 'NULL'
        : typeof value === 'number'
          ? String(value)
          : typeof value === 'string'
            ? `CONVERT(X'${hex(value)}' USING utf8mb4)`
            : `X'${hex(value)}'`,
    close: () => connection.end(),
  };
};

const columnOf = (row: Row): Column => ({
  table: String(row['tbl']),
  name: String(row['name']),
  type: String(row['type']).toUpperCase(),
});
