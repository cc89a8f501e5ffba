import type { HttpExchange } from './http-exchange.ts';
import type { HttpRoute } from './http-route.ts';

/** A route whose code is loaded with the first request for it. One load serves all that wait; one that fails is tried again. */
export const lazyRoute = (
  at: Pick<HttpRoute, 'method' | 'path'>,
  load: () => Promise<Pick<HttpRoute, 'run'>>,
  refuse: (exchange: HttpExchange, cause: unknown) => void,
): HttpRoute => {
  let loading: Promise<Pick<HttpRoute, 'run'>> | null = null;
  return {
    method: at.method,
    path: at.path,
    run: async (exchange) => {
      try {
        loading ??= load();
        await (await loading).run(exchange);
      } catch (error) {
        loading = null;
        refuse(exchange, error);
      }
    },
  };
};
