import type { Role } from './scopes.ts';

/**
 * The written form of a key: `svc_<agt|adm|plt>_<43 base62><6 base62 of CRC-32>`. 256 random bits;
 * the checksum lets a mistyped key be refused without a database look-up, and secret scanners
 * recognise the prefix.
 */
const PREFIX: { readonly [role in Role]: string } = {
  agent: 'svc_agt_',
  admin: 'svc_adm_',
  platform: 'svc_plt_',
};
const FORM = /^svc_(?:agt|adm|plt)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @param random 32 bytes from a cryptographic source. */
export const formatApiKey = (role: Role, random: Uint8Array): string => {
  const secret = base62(
    random.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
    43,
  );
  const body = PREFIX[role] + secret;
  return body + checksum(body);
};

/** What every refusal of a key says (interface 5.1), so that it does not tell which keys there are. */
export const INVALID_KEY = 'Invalid or inactive API key';

/** Whether the text has the form of a key, whatever its checksum. */
export const hasKeyForm = (text: string): boolean => FORM.test(text);

/**
 * Whether the text has the form and the checksum of a key. Says nothing about whether such a key
 * exists.
 */
export const looksLikeApiKey = (text: string): boolean => {
  const match = FORM.exec(text);
  return match !== null && checksum(text.slice(0, -6)) === match[2];
};

const checksum = (text: string): string => base62(BigInt(crc32(text)), 6);

const base62 = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = BASE62[Number(rest % 62n)]! + text;
  return text;
};

/** CRC-32 (ISO-HDLC, as in zlib) of ASCII text. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
};
