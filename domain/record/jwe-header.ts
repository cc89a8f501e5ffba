import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { decodeBase64UrlStrict } from '../kernel/base64.ts';
import type { FieldError } from '../kernel/errors.ts';

/**
 * Sizes in bytes: of the content encryption key, the initialization vector, the tag, and what the ciphertext is a
 * multiple of.
 */
export interface ContentEncryption {
  readonly key: number;
  readonly iv: number;
  readonly tag: number;
  readonly block: number;
}

/** The content encryptions of RFC 7518 section 5, all of them authenticated. */
export const CONTENT_ENCRYPTIONS: ReadonlyMap<string, ContentEncryption> = new Map([
  ['A128GCM', { key: 16, iv: 12, tag: 16, block: 1 }],
  ['A192GCM', { key: 24, iv: 12, tag: 16, block: 1 }],
  ['A256GCM', { key: 32, iv: 12, tag: 16, block: 1 }],
  ['A128CBC-HS256', { key: 32, iv: 16, tag: 16, block: 16 }],
  ['A192CBC-HS384', { key: 48, iv: 16, tag: 24, block: 16 }],
  ['A256CBC-HS512', { key: 64, iv: 16, tag: 32, block: 16 }],
]);

/** RFC 7518 section 4.6 with a wrapped key: agreement alone gives every recipient another content key. */
export const KEY_ENCRYPTIONS: readonly string[] = [
  'ECDH-ES+A128KW',
  'ECDH-ES+A192KW',
  'ECDH-ES+A256KW',
];

/** The parameters of one recipient's header, joined from where they may stand; RFC 7516 section 4. */
export type JoseHeader = ReadonlyMap<string, JsonValue>;

/**
 * The header of one recipient: the union of the protected, the shared and its own, whose names must be disjoint.
 * Messages repeat neither names nor values of what was sent: in the encrypted mode that could be content.
 */
export const joinHeaders = (
  parts: readonly JsonObject[],
): { readonly header: JoseHeader; readonly disjoint: boolean } => {
  const members = parts.flatMap((part) => Object.entries(part));
  const header: JoseHeader = new Map(members);
  return { header, disjoint: header.size === members.length };
};

export const headerFaults = (header: JoseHeader, path: string): readonly FieldError[] => [
  ...(header.has('zip')
    ? [fault(path, 'zip', 'zip is not taken: the length of a compressed text tells of its content')]
    : []),
  ...(header.has('crit')
    ? [fault(path, 'crit', 'crit is not taken: no extension is understood here')]
    : []),
  ...([...header.keys()].every((name) => name === 'zip' || name === 'crit' || PARAMETERS.has(name))
    ? []
    : [
        fault(
          path,
          'additionalProperties',
          `a header parameter is none of ${[...PARAMETERS.keys()].join(', ')}; what it says would be in the clear`,
        ),
      ]),
  ...REQUIRED.filter((name) => !header.has(name)).map((name) =>
    fault(path, 'required', `the header has no ${name}`),
  ),
  ...[...PARAMETERS].flatMap(([name, { is, says }]) =>
    header.has(name) && !is(header.get(name)!) ? [fault(path, name, `${name} ${says}`)] : [],
  ),
];

const fault = (path: string, keyword: string, message: string): FieldError => ({
  path,
  keyword,
  message,
});

const isBytes = (value: unknown, length: number): boolean =>
  typeof value === 'string' && decodeBase64UrlStrict(value)?.length === length;
const isPartyInfo = (value: JsonValue): boolean =>
  typeof value === 'string' && value.length <= 512 && decodeBase64UrlStrict(value) !== null;
const isMediaType = (value: JsonValue): boolean =>
  typeof value === 'string' && /^[A-Za-z0-9!#$&^_.+/-]{1,64}$/.test(value);

/** A public key and nothing else: a `d` would be a private one. */
const isEphemeralKey = (value: JsonValue): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { kty, crv, x, y, ...rest } = value as JsonObject;
  if (Object.keys(rest).length > 0 || !isBytes(x, 32)) return false;
  return (
    (kty === 'OKP' && crv === 'X25519' && y === undefined) ||
    (kty === 'EC' && crv === 'P-256' && isBytes(y, 32))
  );
};

const REQUIRED = ['alg', 'enc', 'kid', 'epk'] as const;

const PARAMETERS: ReadonlyMap<
  string,
  { readonly is: (value: JsonValue) => boolean; readonly says: string }
> = new Map([
  [
    'alg',
    {
      is: (value: JsonValue) => typeof value === 'string' && KEY_ENCRYPTIONS.includes(value),
      says: `must be one of ${KEY_ENCRYPTIONS.join(', ')}`,
    },
  ],
  [
    'enc',
    {
      is: (value: JsonValue) => typeof value === 'string' && CONTENT_ENCRYPTIONS.has(value),
      says: `must be one of ${[...CONTENT_ENCRYPTIONS.keys()].join(', ')}`,
    },
  ],
  [
    'kid',
    {
      is: (value: JsonValue) => isBytes(value, 32),
      says: "must be the RFC 7638 thumbprint (SHA-256, base64url) of the recipient's key",
    },
  ],
  [
    'epk',
    {
      is: isEphemeralKey,
      says: 'must be the public JWK of an ephemeral key, X25519 or P-256, with kty, crv, x and (P-256) y alone',
    },
  ],
  ['apu', { is: isPartyInfo, says: 'must be base64url, at most 512 characters' }],
  ['apv', { is: isPartyInfo, says: 'must be base64url, at most 512 characters' }],
  ['typ', { is: isMediaType, says: 'must be a media type, at most 64 characters' }],
  ['cty', { is: isMediaType, says: 'must be a media type, at most 64 characters' }],
]);
