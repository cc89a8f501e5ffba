/**
 * An error whose message names kinds, functions and what the author wrote, and no content. The
 * library builds its own errors of the message, so the message itself says that it may be shown.
 */
export class CelFault extends Error {
  constructor(message: string) {
    super(SHOWN + message);
  }
}

const SHOWN = '\u0000';

/** The message without the mark, or null where nothing is known about what it holds. */
export const shownMessage = (message: string): string | null =>
  message.startsWith(SHOWN) ? message.slice(SHOWN.length) : null;

/** An expression that can never be evaluated; the message is for its author. */
export class CelTypeError extends Error {
  /** @param at the node at fault, or its place in the text. */
  constructor(
    message: string,
    readonly at: bigint | number | null = null,
  ) {
    super(message);
  }
}
