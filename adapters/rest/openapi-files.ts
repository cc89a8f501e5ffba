import { stringify } from 'yaml';
import type { RouteDoc } from '../http/route-doc.ts';
import { ANY_BASE_URL } from './base-url.ts';
import { openApiDocument } from './openapi.ts';
import type { Json } from './openapi-components.ts';

/** The OpenAPI document as the files that the service serves, and as data for what is made of it. */
export interface OpenApiFiles {
  readonly document: Json;
  readonly files: ReadonlyMap<string, string>;
}

/** Takes about a second. */
export const openApiFiles = (routes: readonly RouteDoc[]): OpenApiFiles => {
  const document = openApiDocument(routes, ANY_BASE_URL);
  return {
    document,
    files: new Map([
      ['openapi.json', JSON.stringify(document)],
      ['openapi.yaml', stringify(document, { aliasDuplicateObjects: false })],
    ]),
  };
};
