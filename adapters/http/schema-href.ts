/** Where one version of a record type can be read; the link of everything that names one. */
export const schemaHref = (version: { readonly publisher: string; readonly type: string; readonly version: number }): string =>
  `/v1/schemas/${encodeURIComponent(version.type)}?publisher=${encodeURIComponent(version.publisher)}&version=${version.version}`;
