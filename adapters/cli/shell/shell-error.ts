/** How a command of the shell client ends; documented in its help. */
export const EXIT = {
  done: 0,
  refused: 1,
  wrongInput: 2,
  noCredential: 3,
  serviceAway: 4,
} as const;

export const EXIT_HELP = `
Exit codes. 0: done. 1: the service refused, or what came does not verify. 2: the command line or a file
is wrong. 3: no profile, no such context, or a key that is not good any more. 4: the service is away.`;

/** What stops a command before the service is asked, or beside it. The message says what to do. */
export class ShellError extends Error {
  override readonly name = 'ShellError';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.noCredential,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A call that creates something got no answer. What it may have created is found again under its idempotency key. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  constructor(
    override readonly cause: unknown,
    readonly idempotencyKey: string,
  ) {
    super('no answer came');
  }
}
