/** An object outside of the database, as its store lists it. */
export interface AnchoredObject {
  readonly key: string;
  /** ISO 8601 with milliseconds. */
  readonly lastModified: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Keeps copies of checkpoints where whoever writes the database cannot change them. An object is written once: nothing
 * here changes or deletes one.
 *
 * What cannot be done comes out as AnchorError. Nothing is promised about objects that others put there.
 */
export interface AnchorStore {
  readonly backend: 'filesystem' | 's3';
  /**
   * Writes an object that survives a crash once this resolves. `present` where the key holds these very bytes.
   *
   * @throws AnchorError `differs` where it holds others.
   */
  put(key: string, bytes: Uint8Array): Promise<'written' | 'present'>;
  /**
   * The bytes as they were first written, also where somebody wrote or deleted the key since; null where there are none. Of
   * what is longer than an anchor, or is no file, a part or nothing.
   */
  get(key: string): Promise<Uint8Array | null>;
  /** Objects whose keys begin so, in order of their keys, one for each version that the store holds. */
  list(prefix: string): AsyncIterable<AnchoredObject>;
}

/** No checkpoint is longer (65,535 bytes). */
export const MAX_ANCHOR_BYTES = 65_536;

export class AnchorError extends Error {
  override readonly name = 'AnchorError';
  constructor(
    readonly reason: 'unavailable' | 'differs',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
