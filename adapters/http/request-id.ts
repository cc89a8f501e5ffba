import { randomUUID } from 'node:crypto';

const VALID = /^[A-Za-z0-9-]{1,128}$/;

/**
 * The caller's X-Request-ID where it is valid, else a new UUID. An invalid one is replaced and
 * never refused.
 */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && VALID.test(header) ? header : randomUUID();
