import { decodeBase64Strict } from '../kernel/base64.ts';
import { toHex } from '../kernel/digest.ts';

const PREFIX = /^sha-?256:/i;
const HEX = /^[0-9a-f]{64}$/i;
const PAIRS = /^(?:[0-9a-f]{2}:){31}[0-9a-f]{2}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;

/**
 * A SHA-256 in any of the forms in which tools write one: hex in either case, bare or in pairs with colons, with or
 * without `sha256:`; after that prefix also base64. Gives lowercase hex, null for any other text.
 */
export const fingerprintFrom = (text: string): string | null => {
  const bare = text.trim().replace(PREFIX, '');
  if (HEX.test(bare)) return bare.toLowerCase();
  if (PAIRS.test(bare)) return bare.replaceAll(':', '').toLowerCase();
  if (!isPrefixed(text) || !BASE64.test(bare)) return null;
  const bytes = decodeBase64Strict(bare.replace(/=?$/, '='));
  return bytes && toHex(bytes);
};

export const isPrefixed = (text: string): boolean => PREFIX.test(text.trim());
