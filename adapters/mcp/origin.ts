import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * A page of another origin calls no tools (MCP, Streamable HTTP: the Origin header is validated on every connection),
 * whatever credential it brings. Without the header it is no page.
 *
 * @throws NotaryError FORBIDDEN
 */
export const assertOrigin = (
  origin: string | undefined,
  baseUrl: string,
  corsOrigins: readonly string[],
): void => {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return;
  const own = new URL(baseUrl);
  if (origin === own.origin || (isLoopback(own) && sameButForName(origin, own))) return;
  throw new NotaryError(
    'FORBIDDEN',
    `Pages of ${JSON.stringify(origin.slice(0, 200))} may not call this service.`,
    { suggestion: 'The operator names the origins that may, in CORS_ORIGINS.' },
  );
};

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.has(hostname);

/** The same service on this machine, by another of its names. */
const sameButForName = (origin: string, own: URL): boolean => {
  if (!URL.canParse(origin)) return false;
  const asked = new URL(origin);
  return isLoopback(asked) && asked.protocol === own.protocol && asked.port === own.port;
};
