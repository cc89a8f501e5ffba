import type { LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import {
  EgressFailed,
  EgressRefused,
  type EgressPost,
  type PostAnswer,
  type PostPurpose,
  type PostRequest,
} from '../../application/ports/egress-post.port.ts';
import { EgressError } from '../../application/ports/egress-client.port.ts';
import { targetOf, type Target } from './egress-target.ts';
import { codeOf } from './error-code.ts';
import { exchange, NotConnected, StaleConnection, type Limits } from './exchange.ts';
import { isForbiddenAddress } from './forbidden-address.ts';
import { NameResolver } from './name-resolver.ts';
import { KeptConnections } from './kept-connections.ts';
import { vettedAddresses, type Resolve } from './vetted-addresses.ts';

export interface PostOptions {
  /** CIDR ranges of private receivers, by purpose; none where a purpose is left out. */
  readonly allowed: { readonly [Purpose in PostPurpose]?: readonly string[] };
  /** PEM certificates that are trusted in addition to those of the runtime; null: none. */
  readonly ca: string | null;
  /** Resolves names. By default a `NameResolver` does; tests replace it. */
  readonly resolve?: Resolve;
  /** Whether the answers of an address are read by nobody. By default those of private ones; a test has no public one. */
  readonly isPrivate?: (address: string) => boolean;
}

/** Addresses of a name that are tried, one after the other. */
const MAX_ADDRESSES = 4;

/** Sends requests through the egress guard, over connections that are kept open by purpose. */
export class HttpsPost implements EgressPost {
  private readonly connections: { readonly [Purpose in PostPurpose]: KeptConnections };
  private readonly resolve: Resolve;
  private readonly isPrivate: (address: string) => boolean;

  constructor(private readonly options: PostOptions) {
    const { ca } = options;
    const tls = {
      // Made once: to read every root certificate takes longer than a connection does.
      secureContext: createSecureContext({
        minVersion: 'TLSv1.2',
        ...(ca === null ? {} : { ca: [...rootCertificates, ca] }),
      }),
      // Explicit, because the environment can turn the check off for the whole process.
      rejectUnauthorized: true,
    };
    this.connections = {
      WEBHOOK: new KeptConnections(tls),
      SINK: new KeptConnections(tls),
      PEER: new KeptConnections(tls),
    };
    this.resolve = options.resolve ?? new NameResolver().resolve;
    this.isPrivate = options.isPrivate ?? ((address) => isForbiddenAddress(address, []));
  }

  async post(purpose: PostPurpose, url: string, request: PostRequest): Promise<PostAnswer> {
    const target = allowedTarget(url);
    const began = performance.now();
    const { connectMs, totalMs } = request;
    const total = timer(totalMs, `no whole answer came within ${totalMs} ms`, request.signal);
    try {
      const addresses = await this.vetted(target, purpose, Math.min(connectMs, totalMs));
      for (const [index, address] of addresses.entries()) {
        const left = connectMs - (performance.now() - began);
        const isLast = index === addresses.length - 1;
        try {
          return await this.send(purpose, target, address, request, {
            total: total.signal,
            connectMs: Math.max(1, isLast ? left : left / (addresses.length - index)),
          });
        } catch (error) {
          if (isLast || !(error instanceof NotConnected) || total.signal.aborted) throw error;
        }
      }
      throw new EgressFailed(`${target.host} has no address`);
    } finally {
      total.stop();
    }
  }

  /** Closes what is idle. */
  close(): void {
    for (const connections of Object.values(this.connections)) connections.destroy();
  }

  private async vetted(
    { host }: Target,
    purpose: PostPurpose,
    withinMs: number,
  ): Promise<readonly LookupAddress[]> {
    const found = timer(withinMs, `the name ${host} was not resolved within ${withinMs} ms`);
    try {
      const addresses = await vettedAddresses(
        host,
        this.options.allowed[purpose] ?? [],
        this.resolve,
        found.signal,
      );
      return addresses.slice(0, MAX_ADDRESSES);
    } catch (cause) {
      if (cause instanceof EgressFailed) throw cause;
      if (cause instanceof EgressError && cause.kind === 'refused')
        throw new EgressRefused(`${host} leads to an address that is not public`, {
          cause,
          resolvedName: isIP(host) === 0,
        });
      throw new EgressFailed(`the name ${host} cannot be resolved${codeOf(cause)}`, { cause });
    } finally {
      found.stop();
    }
  }

  /** A connection that was kept may be closed at the other end without a word: then once more, over a new one. */
  private async send(
    purpose: PostPurpose,
    target: Target,
    address: LookupAddress,
    request: PostRequest,
    limits: Limits,
  ): Promise<PostAnswer> {
    const connections = this.connections[purpose];
    const place = {
      host: address.address,
      family: address.family,
      port: target.port,
      servername: target.serverName,
    };
    const asked = { ...place, ...messageOf(target, request), agent: connections };
    // The operator registered the peer, and its answer is what the message is sent for.
    const isPrivate = purpose !== 'PEER' && this.isPrivate(address.address);
    try {
      return await exchange(asked, target.host, request, limits, isPrivate);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      connections.forget(place);
      return await exchange({ ...asked }, target.host, request, limits, isPrivate);
    }
  }
}

const allowedTarget = (url: string): Target => {
  try {
    return targetOf(url);
  } catch (cause) {
    throw new EgressRefused(cause instanceof Error ? cause.message : 'the URL is not allowed', {
      cause,
    });
  }
};

/** What the client says itself, whatever headers it is given. */
const OWN_HEADERS =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|accept-encoding|user-agent|proxy-.*)$/i;

const messageOf = ({ url }: Target, { headers, body }: PostRequest): RequestOptions => ({
  method: 'POST',
  path: `${url.pathname}${url.search}`,
  headers: {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))),
    host: url.host,
    'content-length': body.length,
    'accept-encoding': 'identity',
    'user-agent': 'notary-service',
  },
  maxHeaderSize: 16_384,
  insecureHTTPParser: false,
});

/**
 * Aborts with a sentence. However slowly something comes, this comes first.
 *
 * @param earlier aborts it as well. A listener, which goes when it is stopped: AbortSignal.any would leave something behind
 *   at a signal that lives as long as the process.
 */
const timer = (
  ms: number,
  message: string,
  earlier?: AbortSignal,
): { signal: AbortSignal; stop: () => void } => {
  const controller = new AbortController();
  const timeout = setTimeout(() => controller.abort(new EgressFailed(message)), ms);
  const end = (): void => controller.abort(new EgressFailed('it was ended before an answer came'));
  if (earlier?.aborted) end();
  earlier?.addEventListener('abort', end, { once: true });
  const stop = (): void => {
    clearTimeout(timeout);
    earlier?.removeEventListener('abort', end);
  };
  return { signal: controller.signal, stop };
};
