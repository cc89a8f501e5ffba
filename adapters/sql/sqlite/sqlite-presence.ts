import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Tells the services on one database file of each other. Each holds a file of its own beside the
 * database, `<database>-node-<pid>-<random>`, locked for as long as it runs. The lock is the
 * operating system's, taken through SQLite: it ends with its process however that ends, so what a
 * killed process left is known by being free, and is removed.
 */
export class SqlitePresence {
  private held: Held | null = null;

  constructor(private readonly filename: string) {}

  /**
   * Resolves to the process ids of the others. Of two that begin at the same time, both learn of each
   * other: each shows itself before it looks.
   */
  join(): readonly number[] {
    this.held ??= this.hold();
    return this.others(this.held.file);
  }

  /** The process ids of those that are there, without joining them. */
  running(): readonly number[] {
    return this.others(null);
  }

  leave(): void {
    if (!this.held) return;
    const { database, file } = this.held;
    this.held = null;
    rmSync(file, { force: true });
    database.close();
  }

  private get prefix(): string {
    return `${basename(this.filename)}-node-`;
  }

  private hold(): Held {
    for (;;) {
      const name = `${this.prefix}${process.pid}-${randomBytes(4).toString('hex')}`;
      const file = join(dirname(this.filename), name);
      const database = new DatabaseSync(file, { timeout: 0 });
      if (lock(database) && isThere(file)) return { database, file };
      // Another one found it in the moment before it was locked, and took it for a left one.
      database.close();
    }
  }

  private others(own: string | null): readonly number[] {
    const directory = dirname(this.filename);
    return readdirSync(directory)
      .filter(
        (name) =>
          name.startsWith(this.prefix) && /^\d+-[0-9a-f]+$/.test(name.slice(this.prefix.length)),
      )
      .map((name) => join(directory, name))
      .filter((file) => file !== own && !removeIfLeft(file))
      .map((file) => Number(basename(file).slice(this.prefix.length).split('-')[0]));
  }
}

interface Held {
  readonly database: InstanceType<typeof DatabaseSync>;
  readonly file: string;
}

const lock = (database: InstanceType<typeof DatabaseSync>): boolean => {
  try {
    // Nothing is written, so there is nothing to roll back; it would be one more file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && Number(error.errcode) === SQLITE_BUSY)
      return false;
    throw error;
  }
};

const SQLITE_BUSY = 5;

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

const removeIfLeft = (file: string): boolean => {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    if (!lock(database)) return false;
    rmSync(file, { force: true });
    return true;
  } finally {
    database.close();
  }
};
