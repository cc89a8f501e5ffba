/** The URL of one version of a record type, used by everything that names one. */
export const schemaHref = (version: {
  readonly publisher: string;
  readonly type: string;
  readonly version: number;
}): string =>
  `/v1/schemas/${encodeURIComponent(version.type)}?publisher=${encodeURIComponent(version.publisher)}&version=${version.version}`;

/** The URL under which anyone can read a JSON Schema of a public record type. */
export const publicSchemaHref = (
  version: { readonly publisher: string; readonly type: string; readonly version: number },
  name: 'criteria' | 'completion',
): string =>
  `/schemas/${encodeURIComponent(version.publisher)}/${encodeURIComponent(version.type)}/${version.version}/${name}.json`;
