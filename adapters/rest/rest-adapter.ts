import type { H3 } from 'h3';
import { createHttpApp, refuse, type HttpSettings } from '../http/app.ts';
import { HttpCall } from '../http/http-call.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { Operations } from '../http/operations.ts';
import { Pipeline, type PipelineDependencies, type PipelineSettings } from '../http/pipeline.ts';
import { prepareRoute } from '../http/prepared-route.ts';
import type { Route } from '../http/route.ts';
import { BINDINGS } from './bindings.ts';
import { Endpoint } from './endpoint.ts';
import { documentedRoutes, linksOf } from './route-table.ts';

export type RestSettings = HttpSettings & PipelineSettings;

/** The REST front-end: the bindings, and the routes that are none, on the HTTP base. */
export const createRestApp = (
  routes: readonly Route[],
  dependencies: PipelineDependencies,
  settings: RestSettings,
): H3 => {
  const { gateway, clientAddress, log } = dependencies;
  const operations = new Operations(documentedRoutes(routes));
  const pipeline = new Pipeline(dependencies, settings, operations);
  const links = linksOf(routes);
  const parts = { ...settings, gateway, clientAddress, links, refuse: refuse(log) };
  const all: readonly HttpRoute[] = [
    ...BINDINGS.map((binding) => new Endpoint(binding, parts)),
    ...routes.map((route) => legacyRoute(route, pipeline)),
  ];
  const admitAnybody = async (
    exchange: ConstructorParameters<typeof HttpCall>[0],
  ): Promise<void> => {
    await gateway.admit(new HttpCall(exchange, clientAddress), 'public', 'default');
  };
  return createHttpApp(all, { admitAnybody, log }, settings);
};

const legacyRoute = (route: Route, pipeline: Pipeline): HttpRoute => {
  const prepared = prepareRoute(route);
  return {
    method: route.method,
    path: route.path,
    run: (exchange) => {
      exchange.prepared = prepared;
      return pipeline.run(exchange);
    },
  };
};
