import type { Route } from '../http/route.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { BINDINGS } from './bindings.ts';
import { docOf } from './binding-doc.ts';
import { fillPath, Links } from './links.ts';
import { openApiDocument } from './openapi.ts';
import { discoveryRoutes } from './public/discovery.ts';
import { documentationRoutes } from './public/documentation.ts';
import { probeRoutes } from './public/probes.ts';
import { problemRoutes } from './public/problems.ts';
import { schemaDocumentRoutes } from './public/schema-documents.ts';
import type { RestUseCases } from './use-cases.ts';

export interface RestService {
  /** The public address, without a slash at the end. */
  readonly baseUrl: string;
  /** Of this release. */
  readonly version: string;
  /** Under which predicate types are named: what the hub fixed at its first start. */
  readonly predicateBase: () => string;
}

/** Every route that is no binding. */
export const routeTable = (useCases: RestUseCases, service: RestService): readonly Route[] => {
  const routes: readonly Route[] = [
    ...schemaDocumentRoutes(useCases),
    ...discoveryRoutes(service.predicateBase),
    ...problemRoutes(),
    ...probeRoutes(useCases, service.version),
    ...documentationRoutes(() => openApiDocument(documentedRoutes(routes), service.baseUrl)),
  ];
  return routes;
};

/** What the documents list: every binding, and every route that is none. */
export const documentedRoutes = (routes: readonly Route[]): readonly RouteDoc[] => {
  const links = linksOf(routes);
  return [...BINDINGS.map((binding) => docOf(binding, links)), ...routes];
};

export const linksOf = (routes: readonly Route[]): Links => {
  const byId = new Map(routes.map((route) => [route.operationId, route]));
  return new Links(BINDINGS, (operationId, params) => {
    const route = byId.get(operationId);
    return route ? { method: route.method, href: fillPath(route.path, params) } : null;
  });
};
