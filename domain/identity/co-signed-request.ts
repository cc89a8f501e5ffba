import type { Uuid } from '../kernel/ids.ts';
import { decodeBase64Strict } from '../kernel/base64.ts';
import { toHex } from '../kernel/digest.ts';
import type { CoSignature } from './co-signature.ts';

/** A request that its caller co-signed: the block that its entries seal, and the body that it was made over. */
export interface CoSignedRequest {
  readonly id: Uuid;
  readonly block: CoSignature;
  /** As it was received, byte for byte. */
  readonly body: Uint8Array;
  /** An earlier unit of work of the same call has kept the body. */
  readonly isKept?: true;
}

/** The SHA-256 of the body that a block covers, lowercase hex; null where the block is malformed. */
export const coSignedHash = (block: CoSignature): string | null => {
  if (block.coverage === 'body') return block.contentHash;
  const digest = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(block.contentDigest)?.[1];
  const bytes = digest === undefined ? null : decodeBase64Strict(digest);
  return bytes && toHex(bytes);
};
