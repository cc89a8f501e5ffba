import { H3 } from 'h3';
import type { HttpRoute } from './http-route.ts';
import { Dispatcher, type HttpParts, type HttpSettings, type Methods } from './dispatcher.ts';

/** The h3 app of a route table. What is not in the table does not exist. */
export const createHttpApp = (
  routes: readonly HttpRoute[],
  parts: HttpParts,
  settings: HttpSettings,
): H3 => {
  const dispatcher = new Dispatcher(parts, settings);
  const app = new H3({
    silent: true,
    onError: (error, event) => dispatcher.malformed(event, error),
  });
  for (const [path, methods] of byPath(routes))
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (event) => dispatcher.dispatch(event, methods));
  app.all('/**', (event) => dispatcher.unknownPath(event));
  return app;
};

const byPath = (routes: readonly HttpRoute[]): ReadonlyMap<string, Methods> => {
  const paths = new Map<string, Map<string, HttpRoute>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, HttpRoute>();
    if (methods.has(route.method))
      throw new TypeError(`${route.method} ${route.path} stands twice in the route table`);
    paths.set(route.path, methods.set(route.method, route));
  }
  return paths;
};
