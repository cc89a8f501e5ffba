/** The signals that end a command, and their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 } as const;

export interface EarlyEnd {
  /** The exit code, 128 and the number of the signal; while there is no reason to end, it waits. */
  readonly code: Promise<number>;
  /** From now on the process ends as it would without this. */
  release(): void;
}

/** Tells a command that it has to end before it is done: by a signal, or since nobody reads what it prints. */
export const earlyEnd = (): EarlyEnd => {
  let end: (code: number) => void = () => undefined;
  const code = new Promise<number>((resolve) => (end = resolve));
  const signalled = (_signal: string, number: number): void => end(128 + number);
  const unread = ({ code: reason }: NodeJS.ErrnoException): void => {
    if (reason === 'EPIPE') end(128 + SIGNALS.SIGPIPE);
  };
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, signalled);
  process.stdout.on('error', unread);
  return {
    code,
    release: () => {
      for (const signal of signals) process.off(signal, signalled);
      process.stdout.off('error', unread);
    },
  };
};
