import type { Uuid } from '../../domain/kernel/ids.ts';

/** A secret that is about to be committed: its row, and the file that it ends in. */
export interface SecretFile {
  readonly id: Uuid;
  /** Of the file, without a folder. */
  readonly name: string;
}

/**
 * Where secrets of new rows are written, once, for whoever collects them.
 *
 * A secret is held under its id before its row is committed, and gets its name afterwards, so a crash loses none. What
 * is held of rows that were never committed is removed later.
 */
export interface SecretFiles {
  /**
   * Writes nothing, and makes no folder.
   *
   * @throws UNPROCESSABLE where no folder is set, or it is not safe, or there is a file of the name already.
   */
  assertFree(name: string): Promise<void>;
  /** On the disk when it resolves. Again for the same id: the earlier secret is replaced. */
  hold(file: SecretFile, secret: string): Promise<void>;
  /** Gives a held secret its name, readable by the owner alone. @returns the path of the file. */
  release(file: SecretFile): Promise<string>;
  drop(file: SecretFile): Promise<void>;
  /** What is held, with its age in ms. Empty where there is no such folder. */
  held(): Promise<readonly (SecretFile & { readonly ageMs: number })[]>;
}
