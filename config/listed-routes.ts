import type { RouteDoc } from '../adapters/http/route-doc.ts';
import { documentedRoutes, pagesOf } from '../adapters/rest/routes.ts';

/**
 * Every route as the documents list it. Routes are data, so nothing is wired or called for this.
 */
export const listedRoutes = (): readonly RouteDoc[] =>
  documentedRoutes(
    pagesOf({
      checkHealth: { execute: unwired },
      publicSchemas: { execute: unwired },
      coseKeys: { execute: unwired },
      hubIdentity: { document: unwired },
      builtFiles: { read: unwired },
      attacks: false,
      search: { wordsOf: unwired, page: unwired },
      contracts: unwired,
      baseUrl: '',
      version: '',
      predicateBase: () => '',
    }),
  );

const unwired = (): never => {
  throw new TypeError('a list of routes serves no page');
};
