/** What a request is for. The operator allows private receivers for each purpose separately. */
export type PostPurpose = 'WEBHOOK' | 'SINK' | 'PEER';

export interface PostRequest {
  /** Those that say how the body is carried (Host, Content-Length, Connection and their like) are the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For the look-up of the name, the connection and TLS together, ms. */
  readonly connectMs: number;
  /** For everything together, the answer included, ms. However slowly it comes, no longer. */
  readonly totalMs: number;
  /** Bytes of the answer's body that are kept at most. */
  readonly keepBytes: number;
  /** Bytes that are read of it before the connection is broken off; 64 KiB by default. */
  readonly readBytes?: number;
  /** Ends it early. Whether the receiver took the body is not known then. */
  readonly signal?: AbortSignal;
}

export interface PostAnswer {
  /** Any final status: 2xx as well as redirects, which are not followed, and refusals. */
  readonly status: number;
  /** From now on, of a Retry-After in either form (RFC 9110 section 10.2.3); null without one that can be read. */
  readonly retryAfterSeconds: number | null;
  /** The beginning of the body as text. Empty of a private receiver, but for a peer: nobody reads an internal network through a webhook. */
  readonly body: string;
}

/**
 * The only way in which the service sends what it was told to send. HTTPS to public addresses, and to those that the
 * operator allows for the purpose. Every address of a name must pass, and the connection goes to one that did. No
 * redirect and no proxy is followed.
 *
 * The body is sent once, but for one case: where a connection that was kept open turns out to be closed, it is sent
 * again over a new one, and the receiver may meet it twice.
 */
export interface EgressPost {
  /**
   * @throws EgressRefused where the URL or an address is not allowed: nothing was sent.
   * @throws EgressFailed where no whole answer came in time. Whether the receiver took the body is not known.
   */
  post(purpose: PostPurpose, url: string, request: PostRequest): Promise<PostAnswer>;
}

/** The network was never reached, and will not be by trying again. The message names no address: owners of subscriptions read it. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';

  /** @param resolvedName what its name leads to was refused: that the name server knows it is for the operator alone. */
  constructor(
    message: string,
    { cause, resolvedName = false }: { cause?: unknown; resolvedName?: boolean } = {},
  ) {
    super(message, { cause });
    this.resolvedName = resolvedName;
  }

  readonly resolvedName: boolean;
}

/** No answer, or half of one. The message is a sentence for the owner of the subscription. */
export class EgressFailed extends Error {
  override readonly name = 'EgressFailed';
}
