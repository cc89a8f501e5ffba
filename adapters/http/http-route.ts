import type { HttpExchange } from './http-exchange.ts';
import type { Method } from './route-doc.ts';

/** One method of one path. A path without a route does not exist. */
export interface HttpRoute {
  readonly method: Method;
  /** In the form of OpenAPI: `/v1/records/{id}`. */
  readonly path: string;
  /** Asked by a machine every few seconds: its line in the log is for debugging. */
  readonly isProbe?: boolean;
  /** Sets the reply of the exchange; never rejects. */
  run(exchange: HttpExchange): Promise<void>;
}
