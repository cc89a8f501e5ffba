import { plainItemLength } from '../../../domain/kernel/deterministic-cbor.ts';

/** The tagged COSE_Sign1 structures of a cose-sequence (RFC 8742), one after the other. */
export const itemsOf = (bytes: Uint8Array): Uint8Array[] => {
  const items: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + plainItemLength(bytes.subarray(at + 1));
    items.push(bytes.subarray(at, end));
    at = end;
  }
  return items;
};
