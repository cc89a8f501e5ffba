/** Members of a log line: ids, statuses, durations, an `err`. Never a credential, a secret or a body. */
export type LogFields = { readonly [name: string]: unknown };

/** The log of the service. Writing never fails and never waits. */
export interface Log {
  /** What is of interest only to whoever looks for a fault, such as a probe that was answered. */
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
