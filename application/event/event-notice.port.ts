/**
 * Tells that this process numbered events, after they can be read. Of the events of other processes it says nothing: whoever
 * must not miss those looks for himself now and then.
 */
export interface EventNotice {
  /** @returns what ends it. */
  onNumbered(listener: () => void): () => void;
}
