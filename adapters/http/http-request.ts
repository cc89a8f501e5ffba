import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * A request as the HTTP base reads it. The body is read once; signatures and hashes cover exactly
 * these bytes.
 */
export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
  /** The address of the socket, before any proxy is trusted. */
  readonly remoteAddress: string;
  header(name: string): string | undefined;
  /**
   * @throws NotaryError PAYLOAD_TOO_LARGE, judged by Content-Length and by the bytes that arrive.
   */
  readBody(maxBytes: number): Promise<Uint8Array>;
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
  constructor(
    private readonly request: IncomingMessage,
    readonly path: string,
    readonly search: string,
  ) {
    this.method = request.method ?? 'GET';
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
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let size = 0;
      request.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxBytes) {
          // The rest of the body is discarded: closing the connection here would often cost the
          // caller the answer. The request time-out of the server limits it.
          request.removeAllListeners('data').resume();
          reject(tooLarge(maxBytes));
        } else parts.push(part);
      });
      request.on('end', () =>
        resolve(
          parts.length === 0 ? EMPTY : parts.length === 1 ? parts[0]! : Buffer.concat(parts, size),
        ),
      );
      request.on('error', () => reject(cutShort()));
      request.on('close', () => {
        if (!request.complete) reject(cutShort());
      });
    });
  }
}

class WebRequest implements HttpRequest {
  readonly method: string;
  readonly remoteAddress = '';
  constructor(
    private readonly request: Request,
    readonly path: string,
    readonly search: string,
  ) {
    this.method = request.method;
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

const cutShort = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'The body ended before its announced length.');
