import type { JsonValue } from '../../domain/kernel/canonical-json.ts';

/**
 * Reads the JSON of an input strictly (`domain/kernel/strict-json.ts`), within bounds of depth and of the number of
 * values. The value must not be changed: its canonical form may have been made with it.
 */
export interface JsonReader {
  /**
   * A short text is read at once. A long one is read while others are served; texts of several senders are read in
   * turns, so that whoever sends many of them waits for the own ones.
   *
   * @param sender an org, or the address of a caller without one.
   * @throws StrictJsonError, at once or by the promise; TooManyValuesError; NotaryError SERVICE_UNAVAILABLE where too
   *   many texts wait or one takes seconds.
   */
  read(bytes: Uint8Array, sender: string): JsonValue | Promise<JsonValue>;
}
