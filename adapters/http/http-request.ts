import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { bodyFault } from './body-fault.ts';
import { headFault } from './request-head.ts';
import { cutShort } from './unreadable.ts';

/**
 * A request as the HTTP base reads it. The body is read once; signatures and hashes cover exactly
 * these bytes.
 */
export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As it stands in the request line, letter by letter. */
  readonly target: string;
  /** Without the question mark. */
  readonly search: string;
  /** The address of the socket, before any proxy is trusted. */
  readonly remoteAddress: string;
  /** Why the request is refused, whatever it asks for. */
  readonly fault: NotaryError | null;
  /** When the body had arrived, in ms of `performance.now()`; null while it arrives, 0 where nobody read one. */
  readonly arrivedAt: number | null;
  /** Told of the body on its way; set before anybody reads it. */
  arrival: BodyArrival | null;
  header(name: string): string | undefined;
  /**
   * @throws NotaryError PAYLOAD_TOO_LARGE, judged by Content-Length and by the bytes that arrive; REQUEST_TIMEOUT and
   *   VALIDATION_ERROR where the rest never came; what `arrival` refuses it with.
   */
  readBody(maxBytes: number): Promise<Uint8Array>;
}

/** What becomes of a request while its body is on its way. */
export interface BodyArrival {
  /** Somebody reads the body, and it is not all there. */
  awaited(): void;
  /** It is there. Why the request goes no further; null: it does. */
  arrived(): NotaryError | null;
}

/** Node's own request where there is one, which is several times cheaper to read than the Web form. */
export const httpRequestOf = (event: H3Event): HttpRequest => {
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  const { pathname, search } = event.url;
  const query = search === '' ? '' : search.slice(1);
  return request
    ? new NodeRequest(request, pathname, query)
    : new WebRequest(event.req, pathname, query);
};

const EMPTY = new Uint8Array(0);

class NodeRequest implements HttpRequest {
  readonly method: string;
  arrivedAt: number | null = 0;
  arrival: BodyArrival | null = null;
  constructor(
    private readonly request: IncomingMessage,
    readonly path: string,
    readonly search: string,
  ) {
    this.method = request.method ?? 'GET';
  }

  get target(): string {
    return this.request.url ?? '';
  }

  get fault(): NotaryError | null {
    return headFault(this.request);
  }

  get remoteAddress(): string {
    return this.request.socket.remoteAddress ?? '';
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    assertDeclaredLength(this.header('content-length'), maxBytes);
    const { request } = this;
    const spoilt = bodyFault(request);
    if (spoilt) return Promise.reject(spoilt);
    // Whoever comes when the caller has left, or after the answer, is told of no more events.
    if (request.destroyed || request.readableEnded) return Promise.reject(cutShort());
    this.arrivedAt = null;
    if (!request.complete) this.arrival?.awaited();
    return new Promise((resolve, reject) => {
      const fail = (fault: NotaryError): void => {
        this.arrivedAt = performance.now();
        reject(fault);
      };
      // One buffer that grows. Each part on its own costs two hundred bytes more than it has, and a
      // sender may cut a body into single bytes.
      let held: Uint8Array = EMPTY;
      let size = 0;
      request.on('data', (part: Buffer) => {
        const end = size + part.length;
        if (end > maxBytes) {
          // The rest of the body is discarded: closing the connection here would often cost the
          // caller the answer. The request time-out of the server limits it.
          request.removeAllListeners('data').resume();
          held = EMPTY;
          fail(tooLarge(maxBytes));
          return;
        }
        if (size === 0) held = part;
        else {
          if (end > held.length) held = grown(held, Math.min(maxBytes, Math.max(end, 2 * size)));
          held.set(part, size);
        }
        size = end;
      });
      request.on('end', () => {
        const refusal = this.arrival?.arrived();
        if (refusal) return fail(refusal);
        this.arrivedAt = performance.now();
        resolve(size === held.length ? held : held.subarray(0, size));
      });
      request.on('error', (cause) => fail(cause instanceof NotaryError ? cause : cutShort()));
      request.on('close', () => {
        if (!request.readableEnded) fail(cutShort());
      });
    });
  }
}

const grown = (bytes: Uint8Array, length: number): Uint8Array => {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
};

class WebRequest implements HttpRequest {
  readonly method: string;
  readonly remoteAddress = '';
  readonly fault = null;
  readonly arrivedAt = 0;
  /** Whoever calls the app itself brings the whole body. */
  arrival = null;
  constructor(
    private readonly request: Request,
    readonly path: string,
    readonly search: string,
  ) {
    this.method = request.method;
  }

  get target(): string {
    return this.request.url.slice(new URL(this.request.url).origin.length);
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  async readBody(maxBytes: number): Promise<Uint8Array> {
    assertDeclaredLength(this.header('content-length'), maxBytes);
    const bytes = new Uint8Array(await this.request.arrayBuffer());
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }
}

const assertDeclaredLength = (declared: string | undefined, maxBytes: number): void => {
  if (declared !== undefined && Number(declared) > maxBytes) throw tooLarge(maxBytes);
};

const tooLarge = (maxBytes: number): NotaryError =>
  new NotaryError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${maxBytes} bytes, the most that is taken.`,
  );
