import { exactUrl } from './exact-url.ts';

/** The lowest port that the service connects to, except for 443. */
const LOWEST_PORT = 1024;

/** Whether the service connects to a port, as URL.port gives it: '' is 443. */
export const isOutgoingPort = (port: string): boolean => port === '' || Number(port) >= LOWEST_PORT;

/** What every URL must be that a caller gives and the service requests. */
export const OUTGOING_URL =
  'an https URL in the characters of RFC 3986, with its host as it is connected to, without credentials or fragment, on port 443 or one from 1024 to 65535';

/** The URL that a text is, if the service would send a request to it; null for any other text. */
export const outgoingUrl = (text: string): URL | null => {
  const url = exactUrl(text);
  return url?.protocol === 'https:' &&
    url.username === '' &&
    url.password === '' &&
    !text.includes('#') &&
    isOutgoingPort(url.port)
    ? url
    : null;
};

/** Whether a host is a name that RFC 6761 section 6.3 reserves for this machine, with or without the dot of the root. */
export const isLoopbackName = (host: string): boolean => LOOPBACK_NAME.test(host);

const LOOPBACK_NAME = /^(?:.+\.)?localhost\.?$/i;
