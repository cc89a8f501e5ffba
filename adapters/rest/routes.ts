import type { HubIdentity } from '../../application/federation/hub-identity.ts';
import type { CheckHealth } from '../../application/operations/check-health.ts';
import type { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';
import type { ListCoseKeys } from '../../application/vault/list-cose-keys.ts';
import type { RouteDoc } from '../http/route-doc.ts';
import { docOf } from './binding-doc.ts';
import { BINDINGS } from './bindings.ts';
import { Links } from './links.ts';
import type { Page } from './page.ts';
import { builtDocumentPages } from './public/built-documents.ts';
import type { BuiltFiles } from './public/built-files.ts';
import { consolePages } from './public/console-pages.ts';
import { conformancePages, type Contract } from './public/conformance.ts';
import { discoveryPages } from './public/discovery.ts';
import { documentationPages } from './public/documentation.ts';
import { probePages } from './public/probes.ts';
import { federationPages } from './public/federation-identity.ts';
import { problemPages } from './public/problems.ts';
import { referencePages, type SearchSource } from './public/reference-pages.ts';
import { scittKeyPages } from './public/scitt-keys.ts';
import { schemaDocumentPages } from './public/schema-documents.ts';
import { provisioningSchemaPages } from './public/provisioning-schemas.ts';
import { startPages } from './public/start-page.ts';

/** What the pages need from the service. */
export interface PageSources {
  readonly checkHealth: Pick<CheckHealth, 'execute'>;
  readonly publicSchemas: Pick<GetPublicSchema, 'execute'>;
  readonly coseKeys: Pick<ListCoseKeys, 'execute'>;
  readonly hubIdentity: Pick<HubIdentity, 'document'>;
  readonly builtFiles: BuiltFiles;
  /** Whether the console may attack the database: that of a demo, and of no other service. */
  readonly attacks: boolean;
  readonly search: SearchSource;
  readonly contracts: () => Promise<readonly Contract[]>;
  /** The public address, without a slash at the end. */
  readonly baseUrl: string;
  /** The version of this release. */
  readonly version: string;
  /** The base of the predicate types, which the hub fixed at its first start. */
  readonly predicateBase: () => string;
}

/** The documents that REST serves beside the operations. */
export const pagesOf = (sources: PageSources): readonly Page[] => [
  ...startPages(sources.checkHealth, sources.version),
  ...schemaDocumentPages(sources.publicSchemas),
  ...scittKeyPages(sources.coseKeys),
  ...discoveryPages(sources.predicateBase),
  ...conformancePages(sources.contracts, sources.version),
  ...federationPages(sources.hubIdentity),
  ...problemPages(),
  ...probePages(sources.checkHealth, sources.version),
  ...builtDocumentPages(sources.builtFiles),
  ...consolePages(sources.builtFiles, sources.attacks),
  ...documentationPages(sources.builtFiles, sources.baseUrl),
  ...provisioningSchemaPages(sources.baseUrl),
  ...referencePages(sources.builtFiles, sources.search),
];

/** Everything that the documents list: all bindings and all pages. */
export const documentedRoutes = (pages: readonly Page[]): readonly RouteDoc[] => [
  ...bindingDocs(),
  ...pages,
];

export const bindingDocs = (): readonly RouteDoc[] => {
  const links = new Links(BINDINGS);
  return BINDINGS.map((binding) => docOf(binding, links));
};
