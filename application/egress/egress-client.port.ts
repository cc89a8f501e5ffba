/** What a fetch is for: an operator lets each purpose reach other private addresses. */
export type EgressPurpose = 'JWKS';

export interface EgressRequest {
  readonly url: string;
  readonly purpose: EgressPurpose;
  /** In all: the look-up of the name, the connection, and the body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * The one way by which the service fetches anything. Only HTTPS, only public addresses but for those that the operator
 * names for the purpose, no redirect, no proxy.
 */
export interface EgressClient {
  /**
   * The body of a 200.
   *
   * @throws EgressError for any other answer, and where there is none.
   */
  get(request: EgressRequest): Promise<Uint8Array>;
}

/** `refused`: the guard would not go there; `failed`: there was no answer that could be taken. The message is for the operator. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  constructor(
    readonly kind: 'refused' | 'failed',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
