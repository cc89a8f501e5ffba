import { AllowedRanges } from '../../adapters/egress/allowed-ranges.ts';
import { listenOnce } from '../../adapters/http/listen-once.ts';
import { mysqlTarget } from '../../adapters/sql/mysql/mysql-url.ts';
import {
  certificateFacts,
  type CertificateFacts,
} from '../../adapters/system/certificate-facts.ts';
import { isLoopback } from '../settings-rules.ts';
import type { Settings } from '../settings-table.ts';
import { onGrpcPort, onPort, StartError } from '../start-error.ts';
import { finding, type Check, type Finding } from './finding.ts';

const SOON_MS = 30 * 86_400_000;
const ANSWER_MS = 2_000;

/** Addresses, ports, certificates, and who is let in or reached. */
export const networkChecks = (settings: Settings, now: Date): readonly Check[] => [
  { name: 'ports', look: () => ports(settings) },
  { name: 'certificate', look: () => Promise.resolve(certificate(settings, now)) },
  { name: 'what travels in the clear', look: () => Promise.resolve(inTheClear(settings)) },
  { name: 'ranges', look: () => Promise.resolve(ranges(settings)) },
  { name: 'sink', look: () => Promise.resolve(sink(settings)) },
];

const ports = async (settings: Settings): Promise<readonly Finding[]> => {
  const { HOST, PORT, GRPC_PORT, ROLE } = settings;
  const running = await runningNotary(HOST, PORT);
  if (running !== null)
    return [
      finding(
        'service-running',
        `${HOST}:${PORT}`,
        `A notary of the version ${running} answers there; that it is the one of these settings is not looked at.`,
      ),
    ];
  const taken: Finding[] = [];
  const tryOne = async (name: string, attempt: () => Promise<void>): Promise<void> => {
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      taken.push(finding('port-taken', name, error.message));
    }
  };
  if (PORT !== 0) await tryOne('PORT', () => onPort(settings, () => listenOnce(HOST, PORT)));
  if (typeof GRPC_PORT === 'number' && GRPC_PORT !== 0 && ROLE !== 'worker')
    await tryOne('GRPC_PORT', () => onGrpcPort(settings, () => listenOnce(HOST, GRPC_PORT)));
  return taken;
};

/** The version of the notary that answers there; null where none does. */
const runningNotary = async (host: string, port: number): Promise<string | null> => {
  if (port === 0) return null;
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  const name = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
  try {
    const answer = await fetch(`http://${name}:${port}/livez`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const said: unknown = JSON.parse((await answer.text()).slice(0, 1000));
    const { status, version } = said as { readonly status?: unknown; readonly version?: unknown };
    return answer.ok && status !== undefined && typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
};

const certificate = (
  { GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key }: Settings,
  now: Date,
): readonly Finding[] => {
  if (cert === '') return [];
  let facts: CertificateFacts;
  try {
    facts = certificateFacts(cert, key);
  } catch (error) {
    return [
      finding(
        'certificate-unreadable',
        'GRPC_TLS_CERT',
        `GRPC_TLS_CERT and GRPC_TLS_KEY are no certificate and its key (${error instanceof Error ? error.message : String(error)}). Set them to files in PEM.`,
      ),
    ];
  }
  const { from, until, isItsKey } = facts;
  const renew = 'Renew it, and start the service again.';
  const found: Finding[] = [];
  if (!isItsKey)
    found.push(
      finding(
        'certificate-of-another-key',
        'GRPC_TLS_KEY',
        'GRPC_TLS_KEY is not the private key of GRPC_TLS_CERT, so no client gets a connection. Set the two that were issued together.',
      ),
    );
  if (until <= now)
    found.push(
      finding(
        'certificate-expired',
        'GRPC_TLS_CERT',
        `It expired on ${until.toISOString()}, so no client trusts it. ${renew}`,
      ),
    );
  else if (from > now)
    found.push(
      finding(
        'certificate-not-yet-valid',
        'GRPC_TLS_CERT',
        `It is valid from ${from.toISOString()} on, and the clock of this machine says ${now.toISOString()}. Look at the clock, or wait.`,
      ),
    );
  else if (until.getTime() - now.getTime() < SOON_MS)
    found.push(
      finding(
        'certificate-expires-soon',
        'GRPC_TLS_CERT',
        `It expires on ${until.toISOString()}. ${renew}`,
      ),
    );
  return found;
};

const inTheClear = ({ PUBLIC_URL, DATABASE_URL }: Settings): readonly Finding[] => {
  const found: Finding[] = [];
  const url = new URL(PUBLIC_URL);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    found.push(
      finding(
        'public-url-in-the-clear',
        'PUBLIC_URL',
        `Callers reach ${PUBLIC_URL} without TLS, so their keys can be read on the way. Put a proxy with a certificate before the service, and set PUBLIC_URL to its https:// address.`,
      ),
    );
  if (!DATABASE_URL.startsWith('sqlite://')) {
    const { host, tls } = mysqlTarget(DATABASE_URL);
    if (tls === null && !isLoopback(host) && host !== '::1')
      found.push(
        finding(
          'database-in-the-clear',
          'DATABASE_URL',
          `The connection to MySQL at ${host} is not encrypted. Add ?ssl=true to DATABASE_URL, and &ssl-ca= where the authority is not a public one.`,
        ),
      );
  }
  return found;
};

const sink = ({ SIEM_HTTP_URL, EGRESS_ALLOW_CIDRS_SINK }: Settings): readonly Finding[] => {
  if (SIEM_HTTP_URL === '') return [];
  const { hostname } = new URL(SIEM_HTTP_URL);
  if (!new AllowedRanges(EGRESS_ALLOW_CIDRS_SINK).isForbidden(hostname)) return [];
  return [
    finding(
      'sink-not-allowed',
      'SIEM_HTTP_URL',
      `The service pushes nothing to ${hostname}, because it is not a public address. Name its range in EGRESS_ALLOW_CIDRS_SINK, or give another address.`,
    ),
  ];
};

const EVERYBODY = /^(0\.0\.0\.0|::)\/0$/;

const ranges = (settings: Settings): readonly Finding[] => {
  const wide = (list: readonly string[]): boolean => list.some((range) => EVERYBODY.test(range));
  const egress = (
    [
      'EGRESS_ALLOW_CIDRS_JWKS',
      'EGRESS_ALLOW_CIDRS_WEBHOOK',
      'EGRESS_ALLOW_CIDRS_SINK',
      'EGRESS_ALLOW_CIDRS_PEER',
    ] as const
  ).filter((name) => wide(settings[name]));
  return [
    ...(wide(settings.TRUSTED_PROXIES)
      ? [
          finding(
            'proxies-too-many',
            'TRUSTED_PROXIES',
            'Every caller may say in X-Forwarded-For which address it calls from, so allowedIps and the limits of addresses protect nothing. Name the proxies alone.',
          ),
        ]
      : []),
    ...egress.map((name) =>
      finding(
        'egress-too-wide',
        name,
        `${name} allows every private address, those of this machine and of its cloud among them. Name the ranges that are meant.`,
      ),
    ),
  ];
};
