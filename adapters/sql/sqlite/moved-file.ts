import { statSync } from 'node:fs';

/** The path of the database no longer leads to the file that this process opened. */
export class MovedFileError extends Error {
  override readonly name = 'MovedFileError';
}

/** How often the path is compared with the open file, ms. */
const COMPARED_EVERY_MS = 250;

/**
 * Notices that the file was deleted, moved or replaced while it is open. SQLite goes on writing to the open file, which
 * no later start finds, and does not compare it with the path in WAL mode.
 */
export class FileWatch {
  #opened: string | null = null;
  #comparedAt = -Infinity;

  constructor(private readonly filename: string) {}

  /** Remembers the file that the writer opened. */
  opened(identity: string | null): void {
    this.#opened ??= identity;
  }

  /** @throws MovedFileError if the path led to another file, or to none, when it was last compared. */
  assertSame(): void {
    if (this.#opened === null) return;
    if (performance.now() - this.#comparedAt < COMPARED_EVERY_MS) return;
    if (identityOf(this.filename) !== this.#opened)
      throw new MovedFileError(
        `${this.filename} was deleted, moved or replaced while this process had it open`,
      );
    this.#comparedAt = performance.now();
  }
}

/** The device and the inode of a file; null if the path leads to none. */
export const identityOf = (filename: string): string | null => {
  const stat = statSync(filename, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
};
