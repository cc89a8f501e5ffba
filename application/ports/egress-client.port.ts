/** What a fetch is for. The operator allows private addresses for each purpose separately. */
export type EgressPurpose = 'JWKS' | 'PEER';

export interface EgressRequest {
  readonly url: string;
  readonly purpose: EgressPurpose;
  /** For everything together: the look-up of the name, the connection and the body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * The only way in which the service fetches anything. It uses HTTPS, connects to public addresses
 * and to those that the operator allows for the purpose, and follows no redirect and no proxy.
 */
export interface EgressClient {
  /**
   * The body of a 200.
   *
   * @throws EgressError for any other answer, and for no answer.
   */
  get(request: EgressRequest): Promise<Uint8Array>;
}

/**
 * `refused`: the guard does not allow the address. `failed`: no acceptable answer came. The message
 * is for the operator.
 */
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
