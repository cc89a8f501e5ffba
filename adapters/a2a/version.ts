import type { HttpRequest } from '../http/http-request.ts';
import { A2A_VERSIONS, type A2aVersion } from './spoken-versions.ts';
import { ProtocolError, RPC } from './rpc-error.ts';

const HEADER = 'A2A-Version';

/**
 * The version that the client speaks, by the header or the query parameter `A2A-Version`. One that names none speaks
 * 0.3, which had no such header.
 *
 * @throws ProtocolError -32009.
 */
export const versionOf = (request: Pick<HttpRequest, 'header' | 'search'>): A2aVersion => {
  const named =
    request.header(HEADER.toLowerCase()) ?? new URLSearchParams(request.search).get(HEADER) ?? '';
  const asked = named.trim();
  if (asked === '') return '0.3';
  const [, majorAndMinor] = /^(\d{1,3}\.\d{1,3})(?:\.\d{1,5})?$/.exec(asked) ?? [];
  const version = A2A_VERSIONS.find((one) => one === majorAndMinor);
  if (version) return version;
  throw new ProtocolError(
    RPC.versionNotSupported,
    'VALIDATION_ERROR',
    `A2A ${JSON.stringify(asked.slice(0, 20))} is not spoken here; ${A2A_VERSIONS.join(' and ')} are.`,
    {
      allowedValues: A2A_VERSIONS,
      suggestion: `Send the header ${HEADER} with a version that is spoken here.`,
    },
  );
};
