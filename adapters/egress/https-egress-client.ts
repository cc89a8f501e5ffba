import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import {
  EgressError,
  type EgressClient,
  type EgressPurpose,
  type EgressRequest,
} from '../../application/ports/egress-client.port.ts';
import { before } from './deadline.ts';
import { targetOf, type Target } from './egress-target.ts';
import { limitInterim } from './interim-answers.ts';
import { systemResolve, vettedAddresses, type Resolve } from './vetted-addresses.ts';

export interface EgressOptions {
  /** CIDR ranges of private receivers, by purpose; none where a purpose is left out. */
  readonly allowed: { readonly [Purpose in EgressPurpose]?: readonly string[] };
  /** PEM certificates that are trusted in addition to those of the runtime; null: none. */
  readonly ca: string | null;
  /** Resolves names. By default the system does; tests replace it. */
  readonly resolve?: Resolve;
}

/**
 * The egress guard. It checks every address that a name resolves to, and connects only to an
 * address that it checked, so a DNS answer that changes in between has no effect.
 */
export class HttpsEgressClient implements EgressClient {
  // Not the global agent, because the environment can make that use a proxy.
  private readonly agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
  private readonly ca: string[] | undefined;
  private readonly resolve: Resolve;

  constructor(private readonly options: EgressOptions) {
    this.ca = options.ca === null ? undefined : [...rootCertificates, options.ca];
    this.resolve = options.resolve ?? systemResolve;
  }

  async get({ url, purpose, timeoutMs, maxBytes }: EgressRequest): Promise<Uint8Array> {
    const target = targetOf(url);
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const addresses = await vettedAddresses(
        target.host,
        this.options.allowed[purpose] ?? [],
        this.resolve,
        deadline,
      );
      return await before(deadline, this.fetch(target, addresses, deadline, maxBytes));
    } catch (cause) {
      if (cause instanceof EgressError) throw cause;
      if (deadline.aborted)
        throw new EgressError(
          'failed',
          `${target.url.host} did not answer within ${timeoutMs} ms`,
          { cause },
        );
      throw new EgressError(
        'failed',
        `${target.url.host} cannot be fetched from: ${reasonOf(cause)}`,
        { cause },
      );
    }
  }

  private fetch(
    { url, host, port, serverName }: Target,
    addresses: readonly LookupAddress[],
    signal: AbortSignal,
    maxBytes: number,
  ): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          method: 'GET',
          host,
          port,
          path: `${url.pathname}${url.search}`,
          agent: this.agent,
          lookup: pinned(addresses),
          signal,
          headers: {
            host: url.host,
            accept: 'application/json',
            'accept-encoding': 'identity',
            'user-agent': 'notary-service',
            connection: 'close',
          },
          // Explicit, because the environment can turn the check off for the whole process.
          rejectUnauthorized: true,
          minVersion: 'TLSv1.2',
          servername: serverName,
          maxHeaderSize: 16_384,
          insecureHTTPParser: false,
          ...(this.ca ? { ca: this.ca } : {}),
        },
        (response) => {
          bodyOf(response, maxBytes)
            .then(resolve, reject)
            .finally(() => outgoing.destroy());
        },
      );
      outgoing.on('error', reject);
      limitInterim(outgoing, () =>
        outgoing.destroy(new EgressError('failed', 'one interim answer came after the other')),
      );
      // Without this listener Node closes the connection silently, and the promise would never
      // settle.
      outgoing.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new EgressError('failed', 'the answer was 101 instead of 200'));
      });
      outgoing.end();
    });
  }
}

/** Gives the connection the addresses that were checked, without another look-up. */
const pinned =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };

const bodyOf = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const { statusCode, headers } = response;
  if (statusCode !== 200)
    throw new EgressError(
      'failed',
      `the answer was ${statusCode} instead of 200; redirects are not followed`,
    );
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new EgressError('failed', 'the answer is encoded, which was not asked for');
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, size);
};

const tooLarge = (maxBytes: number): EgressError =>
  new EgressError('failed', `the answer is larger than ${maxBytes} bytes`);

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : 'unknown';
