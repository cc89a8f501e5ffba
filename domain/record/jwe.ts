import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { decodeBase64UrlStrict } from '../kernel/base64.ts';
import type { FieldError } from '../kernel/errors.ts';
import { decodeUtf8Strict, parseStrictJson } from '../kernel/strict-json.ts';
import type { OperatingMode } from '../record-type/manifest.ts';
import {
  CONTENT_ENCRYPTIONS,
  headerFaults,
  joinHeaders,
  type ContentEncryption,
  type JoseHeader,
} from './jwe-header.ts';

export const MAX_RECIPIENTS = 32;
/** Limit for the protected header and for the additional authenticated data, which are in the clear. */
const MAX_CLEAR_CHARACTERS = 4096;

export interface JweFindings {
  /** Faults by which the value is not a JWE as the encrypted mode requires it. */
  readonly faults: readonly FieldError[];
  /** The kid of each recipient, in order; complete where there are no faults. */
  readonly recipients: readonly string[];
}

/**
 * Whether the value is a JWE General JSON Serialization object (RFC 7516 section 7.2.1), as far as one can tell who
 * holds no key. Members and header parameters that are not known are refused: what they say would be in the clear.
 * Messages and paths repeat nothing of what was sent, since that may be content posted by mistake.
 */
export const examineJwe = (value: JsonObject): JweFindings => {
  const shape = shapeFaults(value);
  if (shape.length > 0) return { faults: shape, recipients: [] };
  const protectedHeader = decodeHeader(textOf(value['protected']));
  if (!protectedHeader)
    return {
      faults: [
        fault(
          '/protected',
          'header',
          `must be the base64url of a JSON object without duplicate members, at most ${MAX_CLEAR_CHARACTERS} characters`,
        ),
      ],
      recipients: [],
    };
  if (!Object.hasOwn(protectedHeader, 'enc'))
    return {
      faults: [fault('/protected', 'required', 'the protected header must hold enc')],
      recipients: [],
    };
  const encryption = CONTENT_ENCRYPTIONS.get(textOf(protectedHeader['enc']));
  const recipients = value['recipients'] as readonly JsonObject[];
  const joined = recipients.map((recipient) =>
    joinHeaders([protectedHeader, objectOf(value['unprotected']), objectOf(recipient['header'])]),
  );
  const faults = [
    ...joined.flatMap(({ header, disjoint }, i) => [
      ...(disjoint
        ? []
        : [
            fault(
              `/recipients/${i}`,
              'duplicate',
              'a header parameter stands in more than one header of the recipient (RFC 7516 section 4)',
            ),
          ]),
      ...headerFaults(header, `/recipients/${i}`),
    ]),
    ...(encryption ? sizeFaults(value, recipients, encryption) : []),
  ];
  const kids = joined.map(({ header }) => textOf(header.get('kid')));
  if (faults.length === 0 && new Set(kids).size < kids.length)
    faults.push(fault('/recipients', 'uniqueItems', 'names a recipient twice'));
  return { faults, recipients: kids };
};

/** Content that was encrypted, in whichever serialization, for a type that takes it in the clear. */
export const looksLikeJwe = (value: JsonObject): boolean =>
  typeof value['ciphertext'] === 'string' &&
  (Array.isArray(value['recipients']) || typeof value['protected'] === 'string');

/**
 * The thumbprints that a JWE names, as the chain says it. Of a value whose refusal is still to be told: anything, and
 * no fault.
 */
export const recipientsOf = (jwe: JsonObject): readonly string[] =>
  examineHeaders(jwe).map((header) => textOf(header.get('kid')));

/** What an entry that adds the content says of its encryption; nothing where the content is in the clear. */
export const encryptionOf = (
  mode: OperatingMode,
  content: JsonObject,
): { readonly encryption?: { readonly recipients: readonly string[] } } =>
  mode === 'encrypted' ? { encryption: { recipients: recipientsOf(content) } } : {};

const examineHeaders = (jwe: JsonObject): readonly JoseHeader[] => {
  const protectedHeader = decodeHeader(textOf(jwe['protected'])) ?? {};
  const recipients = Array.isArray(jwe['recipients'])
    ? (jwe['recipients'] as readonly JsonValue[])
    : [];
  return recipients.map(
    (recipient) =>
      joinHeaders([
        protectedHeader,
        objectOf(jwe['unprotected']),
        objectOf(objectOf(recipient)['header']),
      ]).header,
  );
};

const MEMBERS = [
  'protected',
  'unprotected',
  'iv',
  'aad',
  'ciphertext',
  'tag',
  'recipients',
] as const;
const REQUIRED = ['protected', 'iv', 'ciphertext', 'tag', 'recipients'] as const;
const FLATTENED = ['header', 'encrypted_key'] as const;

const shapeFaults = (value: JsonObject): readonly FieldError[] => {
  if (!looksLikeJwe(value))
    return [fault('', 'jwe', 'is not a JWE; its content would be in the clear')];
  if (FLATTENED.some((name) => Object.hasOwn(value, name)))
    return [
      fault(
        '',
        'flattened',
        'is a flattened JWE; put header and encrypted_key into recipients (RFC 7516 section 7.2.1)',
      ),
    ];
  return [
    ...REQUIRED.filter((name) => !Object.hasOwn(value, name)).map((name) =>
      fault('', 'required', `has no ${name}`),
    ),
    ...(holdsOnly(value, MEMBERS)
      ? []
      : [
          fault(
            '',
            'additionalProperties',
            `has a member that is none of ${MEMBERS.join(', ')}; what it says would be in the clear`,
          ),
        ]),
    ...(['protected', 'iv', 'ciphertext', 'tag', 'aad'] as const).flatMap((name) =>
      Object.hasOwn(value, name) && !isBase64Url(value[name])
        ? [fault(`/${name}`, 'base64url', 'must be base64url without padding, and not empty')]
        : [],
    ),
    ...(typeof value['aad'] === 'string' && value['aad'].length > MAX_CLEAR_CHARACTERS
      ? [
          fault(
            '/aad',
            'maxLength',
            `is not encrypted, and has at most ${MAX_CLEAR_CHARACTERS} characters`,
          ),
        ]
      : []),
    ...(isHeaderOrAbsent(value, 'unprotected')
      ? []
      : [fault('/unprotected', 'header', 'must be an object with members, or absent')]),
    ...recipientFaults(value['recipients']),
  ];
};

const recipientFaults = (recipients: JsonValue | undefined): readonly FieldError[] => {
  if (recipients === undefined) return [];
  const list = Array.isArray(recipients) ? (recipients as readonly JsonValue[]) : [];
  if (list.length < 1 || list.length > MAX_RECIPIENTS)
    return [fault('/recipients', 'maxItems', `must name 1 to ${MAX_RECIPIENTS} recipients`)];
  return list.flatMap((recipient, i) => {
    if (
      !isObject(recipient) ||
      !holdsOnly(recipient, FLATTENED) ||
      !isHeaderOrAbsent(recipient, 'header')
    )
      return [
        fault(
          `/recipients/${i}`,
          'recipient',
          'must be an object of header and encrypted_key alone',
        ),
      ];
    return isBase64Url(recipient['encrypted_key'])
      ? []
      : [
          fault(
            `/recipients/${i}/encrypted_key`,
            'base64url',
            'must be base64url without padding, and not empty',
          ),
        ];
  });
};

/** AES Key Wrap (RFC 3394) adds 8 bytes to the key. */
const sizeFaults = (
  value: JsonObject,
  recipients: readonly JsonObject[],
  { key, iv, tag, block }: ContentEncryption,
): readonly FieldError[] => [
  ...sizeFault(
    '/iv',
    value['iv'],
    (length) => length === iv,
    `must have ${iv} bytes with this enc`,
  ),
  ...sizeFault(
    '/tag',
    value['tag'],
    (length) => length === tag,
    `must have ${tag} bytes with this enc`,
  ),
  ...sizeFault(
    '/ciphertext',
    value['ciphertext'],
    (length) => length % block === 0,
    `must be a multiple of ${block} bytes with this enc`,
  ),
  ...recipients.flatMap((recipient, i) =>
    sizeFault(
      `/recipients/${i}/encrypted_key`,
      recipient['encrypted_key'],
      (length) => length === key + 8,
      `must have ${key + 8} bytes with this enc`,
    ),
  ),
];

const sizeFault = (
  path: string,
  text: JsonValue | undefined,
  fits: (length: number) => boolean,
  message: string,
): readonly FieldError[] =>
  fits(Math.floor((textOf(text).length * 3) / 4)) ? [] : [fault(path, 'length', message)];

const decodeHeader = (text: string): JsonObject | null => {
  const bytes = text.length > MAX_CLEAR_CHARACTERS ? null : decodeBase64UrlStrict(text);
  if (!bytes) return null;
  try {
    const header = parseStrictJson(decodeUtf8Strict(bytes));
    return isObject(header) ? header : null;
  } catch {
    return null;
  }
};

const fault = (path: string, keyword: string, message: string): FieldError => ({
  path,
  keyword,
  message,
});
/** String(value) would call methods of the value itself. */
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const isBase64Url = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && value !== '' && decodeBase64UrlStrict(value) !== null;
const holdsOnly = (value: JsonObject, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));
const isHeaderOrAbsent = (value: JsonObject, name: string): boolean =>
  !Object.hasOwn(value, name) || (isObject(value[name]) && Object.keys(value[name]).length > 0);
