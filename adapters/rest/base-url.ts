/** Stands in the OpenAPI document that the build makes, once, and is replaced by the base URL of the service. */
export const ANY_BASE_URL = 'https://base-url.invalid';

/** @param baseUrl a serialized URL, which holds no character that JSON or YAML would escape. */
export const withBaseUrl = (document: Uint8Array, baseUrl: string): Uint8Array => {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const at = bytes.indexOf(ANY_BASE_URL);
  if (at < 0) throw new Error(`the OpenAPI document does not hold ${ANY_BASE_URL}`);
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from(baseUrl),
    bytes.subarray(at + ANY_BASE_URL.length),
  ]);
};
