import { decodeBase64Strict } from '../../kernel/base64.ts';
import { toHex } from '../../kernel/digest.ts';

const PREFIX = /^sha-?256:\s*/i;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;
/** What people and tools put between the digits. */
const BETWEEN = /[\s:]+/g;

/**
 * A SHA-256 in any of the forms in which tools write one: hex in either case, with or without colons and spaces between
 * the digits, with or without `sha256:`; after that prefix also base64. Gives lowercase hex, null for any other text.
 */
export const fingerprintFrom = (text: string): string | null => {
  const bare = text.trim().replace(PREFIX, '');
  const digits = bare.replace(BETWEEN, '');
  if (HEX.test(digits)) return digits.toLowerCase();
  if (!isPrefixed(text) || !BASE64.test(bare)) return null;
  const bytes = decodeBase64Strict(bare.replace(/=?$/, '='));
  return bytes && toHex(bytes);
};

export const isPrefixed = (text: string): boolean => PREFIX.test(text.trim());
