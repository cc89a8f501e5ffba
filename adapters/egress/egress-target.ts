import { isIP } from 'node:net';
import { EgressError } from '../../application/ports/egress-client.port.ts';
import { isOutgoingPort } from '../../domain/kernel/outgoing-url.ts';

/** Where a URL leads, as far as the URL alone says it. */
export interface Target {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** The name that the certificate must have; empty for an address, which is then what it must name. */
  readonly serverName: string;
}

/** @throws EgressError `refused` for anything but https, for credentials, and for ports outside 443 and 1024-65535. */
export const targetOf = (text: string): Target => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') throw new EgressError('refused', 'only https URLs are fetched');
  if (url.username !== '' || url.password !== '')
    throw new EgressError('refused', 'a URL with credentials is not fetched');
  if (!isOutgoingPort(url.port))
    throw new EgressError('refused', `the port ${url.port} is neither 443 nor in 1024-65535`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    url,
    host,
    port: url.port === '' ? 443 : Number(url.port),
    // RFC 6066 section 3: without the trailing dot.
    serverName: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
  };
};
