import { assertJsonMediaType, assertNotEncoded } from './media-type.ts';
import type { Incoming } from './incoming.ts';

const EMPTY = new Uint8Array(0);

/** @throws NotaryError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE. */
export const readJsonBody = async (incoming: Incoming, maxBytes: number): Promise<Uint8Array> => {
  const contentType = incoming.header('content-type');
  // Without a body there is nothing whose type could be wrong.
  if (!hasBody(incoming)) return EMPTY;
  if (contentType !== undefined) assertJsonMediaType(contentType);
  assertNotEncoded(incoming.header('content-encoding'));
  const bytes = await incoming.readBody(maxBytes);
  if (bytes.length > 0 && contentType === undefined) assertJsonMediaType(contentType);
  return bytes;
};

export const hasBody = (incoming: Incoming): boolean => {
  const announced = incoming.header('content-length') ?? incoming.header('transfer-encoding');
  return announced !== undefined && announced !== '0';
};
