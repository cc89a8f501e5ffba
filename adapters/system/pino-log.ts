import { pino, type DestinationStream, type Logger } from 'pino';
import type { Log, LogFields } from '../../application/ports/log.port.ts';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** JSON lines, or what the destination makes of them: `{"level":"info","time":"<ISO 8601>",…,"msg":"…"}`. */
export class PinoLog implements Log {
  /** Censors; the second line of defence. Code that logs must leave these out in the first place. */
  private readonly wary: Logger;
  /** Makes the same line of fields in which there is nothing to censor, for half of what it costs to look. */
  private readonly plain: Logger;

  constructor(level: LogLevel, destination: DestinationStream) {
    const options = {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    const paths = [...NEVER_LOGGED].flatMap((name) => [name, `*.${name}`]);
    this.wary = pino({ ...options, redact: { paths, censor: '********' } }, destination);
    this.plain = pino(options, destination);
  }

  debug(fields: LogFields, message: string): void {
    this.loggerOf(fields).debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.loggerOf(fields).info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.loggerOf(fields).warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.loggerOf(fields).error(fields, message);
  }

  private loggerOf(fields: LogFields): Logger {
    return isPlain(fields) ? this.plain : this.wary;
  }
}

const NEVER_LOGGED: ReadonlySet<string> = new Set([
  'authorization',
  'apiKey',
  'secret',
  'password',
  'certJws',
  'body',
  'payload',
]);

/** Whether no member has one of these names, nor members of its own that could have one. */
const isPlain = (fields: LogFields): boolean => {
  for (const name in fields) {
    const value = fields[name];
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') return false;
    if (NEVER_LOGGED.has(name)) return false;
  }
  return true;
};

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
