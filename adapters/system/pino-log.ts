import { pino, type DestinationStream, type Logger } from 'pino';
import type { Log, LogFields } from '../../application/log.port.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** JSON lines, or what the destination makes of them: `{"level":"info","time":"<ISO 8601>",…,"msg":"…"}`. */
export class PinoLog implements Log {
  private readonly logger: Logger;

  constructor(level: LogLevel, destination: DestinationStream) {
    this.logger = pino(
      {
        level,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        // The second line of defence. Code that logs must leave these out in the first place.
        redact: { paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`]), censor: '********' },
      },
      destination,
    );
  }

  debug(fields: LogFields, message: string): void {
    this.logger.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.logger.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.logger.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.logger.error(fields, message);
  }
}

const NEVER_LOGGED = [
  'authorization',
  'apiKey',
  'secret',
  'password',
  'certJws',
  'body',
  'payload',
];

/**
 * `serve` logs to stdout, where containers and service managers look for it. A command that prints
 * data logs to stderr, so that its output stays parseable. The first platform key is never a log
 * line: it goes only to the terminal, because log collectors keep what is on stdout.
 *
 * On a terminal a line is for people. Elsewhere it is JSON, written in the background and flushed at
 * the end of the process.
 */
export const logDestination = async (stream: 'stdout' | 'stderr'): Promise<DestinationStream> => {
  const dest = stream === 'stdout' ? 1 : 2;
  if (!process[stream].isTTY) return pino.destination({ dest, sync: false });
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({
    destination: dest,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid',
  });
};
