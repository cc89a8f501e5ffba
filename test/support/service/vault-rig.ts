import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import type { DatabaseKind, TestDatabase } from '../databases/databases.ts';
import { freshSecrets } from '../databases/stored-chains.ts';
import { settingsIn } from './settings-in.ts';
import { startWatched } from './watched-service.ts';
import { Client, createWorld, type Body, type World } from './world.ts';

const TABLES = [
  'instance',
  'vault_signing_keys',
  'vault_key_statements',
  'sealed_keys',
  'chain_entries',
  'chain_heads',
  'outbox',
  'api_keys',
] as const;
const APPEND_ONLY = ['chain_entries', 'vault_key_statements'] as const;

/** A service on a database of its own, to be started again and again after edits of its rows. */
export class VaultRig {
  readonly directory = mkdtempSync(join(tmpdir(), 'notary-keys-'));
  readonly secrets = freshSecrets();
  database!: TestDatabase;
  world!: World;

  constructor(
    private readonly kind: DatabaseKind,
    /** Of the next starts. */
    public env: Readonly<Record<string, string>> = {},
  ) {}

  async prepare(): Promise<void> {
    this.database = await this.kind.open();
    await this.run(async (service) => {
      const { apiKey } = await service.container.get(BootstrapPlatform).execute();
      this.world = await createWorld(String(service.url), apiKey);
    });
    // Whoever writes the database can drop its triggers.
    for (const table of APPEND_ONLY)
      for (const event of ['update', 'delete'])
        await this.database.raw(`DROP TRIGGER ${table}_no_${event}`);
  }

  async end(): Promise<void> {
    await this.database.drop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async run<T>(work: (service: RunningService) => Promise<T>): Promise<T> {
    const service = await startWatched(
      settingsIn(this.directory, { DATABASE_URL: this.database.url, ...this.secrets, ...this.env }),
    );
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  }

  /** The same client at the address of this start. */
  at(service: RunningService, client: Client): Client {
    return new Client(String(service.url), client.key);
  }

  async snapshot(): Promise<Body> {
    const rows: Body = {};
    for (const table of TABLES)
      rows[table] = JSON.stringify(await this.database.raw(`SELECT * FROM ${table}`));
    return rows;
  }

  /** Applies an edit, expects that the service does not start and writes nothing, and takes the edit back. */
  async refuses(edit: readonly string[], sentence: string | RegExp): Promise<void> {
    const saved: [string, readonly Record<string, unknown>[]][] = [];
    for (const table of TABLES)
      saved.push([table, await this.database.raw(`SELECT * FROM ${table}`)]);
    try {
      await this.database.raw('DROP TRIGGER IF EXISTS chain_entries_by_active_key');
      for (const sql of edit) await this.database.raw(sql);
      const before = await this.snapshot();
      await expect(this.run(() => Promise.resolve())).rejects.toThrow(sentence);
      expect(await this.snapshot()).toEqual(before);
    } finally {
      for (const [table, rows] of saved.slice(0, 6)) await this.restore(table, rows);
    }
  }

  private async restore(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    await this.database.raw(`DELETE FROM ${table}`);
    for (const row of rows)
      await this.database.raw(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')})`,
      );
  }
}

/** A value of a row, as SQL of both databases. */
export const literal = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `x'${toHex(value)}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
};
