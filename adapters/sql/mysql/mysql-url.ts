import { isIP } from 'node:net';

/** What a `mysql://` URL says. */
export interface MysqlTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Null: the connection is in the clear. */
  readonly tls: MysqlTls | null;
}

export interface MysqlTls {
  /** Whether the certificate has to name the host; it has to come from a trusted authority in any case. */
  readonly verifiesHost: boolean;
  /** Files in PEM. Without an authority, the public ones are trusted. */
  readonly caFile: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
}

/** The parameters of the URL that name a file. */
export const FILE_PARAMETERS = ['ssl-ca', 'ssl-cert', 'ssl-key'] as const;

const MODES: ReadonlyMap<string, 'off' | 'verify-ca' | 'verify-identity'> = new Map([
  ['false', 'off'],
  ['true', 'verify-identity'],
  ['verify-identity', 'verify-identity'],
  ['verify-ca', 'verify-ca'],
]);

/** @throws TypeError that says what is wrong with the URL, without repeating its password. */
export const mysqlTarget = (url: string): MysqlTarget => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 'mysql:' || parsed.hostname === '' || parsed.pathname.length <= 1)
    throw new TypeError('must be mysql://user:password@host:port/database');
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: parsed.port === '' ? 3306 : Number(parsed.port),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    tls: tlsOf(parsed.searchParams, host),
  };
};

const tlsOf = (parameters: URLSearchParams, host: string): MysqlTls | null => {
  const known = new Set<string>(['ssl', ...FILE_PARAMETERS]);
  for (const name of parameters.keys())
    if (!known.has(name))
      throw new TypeError(
        `has the parameter ${name}, which is not known. Known are ${[...known].join(', ')}`,
      );
  const [caFile, certFile, keyFile] = FILE_PARAMETERS.map((name) => parameters.get(name));
  const ssl = parameters.get('ssl') ?? (parameters.size > 0 ? 'true' : 'false');
  const mode = MODES.get(ssl);
  if (mode === undefined)
    throw new TypeError(`has ssl=${ssl}; it takes ${[...MODES.keys()].join(', ')}`);
  if (mode === 'off') {
    if (parameters.size > 1) throw new TypeError('has ssl=false beside files for TLS');
    return null;
  }
  if ((certFile === null) !== (keyFile === null))
    throw new TypeError('needs both ssl-cert and ssl-key, or neither');
  // The driver would compare the certificate with the name localhost.
  if (mode === 'verify-identity' && isIP(host) !== 0)
    throw new TypeError(
      'asks for TLS with an address as host. Give the name that the certificate bears, or, where its authority signs for this server alone, ssl=verify-ca',
    );
  return {
    verifiesHost: mode === 'verify-identity',
    caFile: caFile ?? null,
    certFile: certFile ?? null,
    keyFile: keyFile ?? null,
  };
};
