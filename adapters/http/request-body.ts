import { assertJsonMediaType, assertMediaType, assertNotEncoded } from './media-type.ts';
import type { HttpRequest } from './http-request.ts';

const EMPTY = new Uint8Array(0);

/** @throws NotaryError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE. */
export const readJsonBody = async (request: HttpRequest, maxBytes: number): Promise<Uint8Array> => {
  const contentType = request.header('content-type');
  // Without a body, no content type can be wrong.
  if (!hasBody(request)) return EMPTY;
  if (contentType !== undefined) assertJsonMediaType(contentType);
  assertNotEncoded(request.header('content-encoding'));
  const bytes = await request.readBody(maxBytes);
  if (bytes.length > 0 && contentType === undefined) assertJsonMediaType(contentType);
  return bytes;
};

export const hasBody = (request: HttpRequest): boolean => {
  const announced = request.header('content-length') ?? request.header('transfer-encoding');
  return announced !== undefined && announced !== '0';
};

/**
 * A body that is not JSON, as it is.
 *
 * @throws NotaryError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE.
 */
export const readBytes = async (
  request: HttpRequest,
  mediaTypes: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> => {
  assertMediaType(request.header('content-type'), mediaTypes);
  assertNotEncoded(request.header('content-encoding'));
  return hasBody(request) ? request.readBody(maxBytes) : EMPTY;
};
