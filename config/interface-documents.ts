import { OpenApiReader } from '../adapters/docs/reference/openapi-reader.ts';
import type { PageFrame } from '../adapters/docs/reference/page-frame.ts';
import { referenceFiles } from '../adapters/docs/reference/reference.ts';
import { searchParts, type FoundPart } from '../adapters/docs/reference/search-parts.ts';
import { openApiFiles } from '../adapters/rest/openapi-files.ts';
import type { JsonObject } from '../domain/kernel/canonical-json.ts';
import { listedRoutes } from './listed-routes.ts';

/**
 * The files that describe the interface, by name: the OpenAPI document, the pages of the reference, and what the search
 * looks through. They take over a second, so the build makes them and the service reads them.
 *
 * @param built the files that bundle.js makes.
 * @throws Error if one of those is missing.
 */
export const interfaceDocuments = async (
  built: PageFrame,
): Promise<ReadonlyMap<string, string>> => {
  const { document, files } = openApiFiles(listedRoutes());
  const reader = new OpenApiReader(document as JsonObject);
  const guides = await built.read('guides.json');
  if (!guides) throw new Error('guides.json is missing: run npm run build');
  const sections = JSON.parse(new TextDecoder().decode(guides)) as readonly FoundPart[];
  return new Map([
    ...files,
    ...(await referenceFiles(reader, built)),
    ['search.json', JSON.stringify(searchParts(sections, reader))],
  ]);
};
