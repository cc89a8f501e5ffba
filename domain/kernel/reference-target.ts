import { NotaryError, type FieldError } from './errors.ts';
import { isKnownScheme, URI_SCHEMES } from './uri-schemes.ts';

/**
 * Something outside of the service that a party refers to. The service neither fetches nor checks
 * it.
 */
export interface ReferenceTarget {
  readonly kind: string;
  /** Absolute (RFC 3986 section 3). */
  readonly uri: string;
  /** Digest of the target when the reference was added, as the caller computed it. */
  readonly digest: { readonly alg: string; readonly value: string } | null;
  readonly label: string | null;
}

/**
 * @param at the place of the target in the input, a JSON Pointer.
 * @throws UNPROCESSABLE where the scheme of the URI is not registered, or a SHA-256 digest is not one.
 */
export const assertReferenceTarget = (
  { uri, digest }: Pick<ReferenceTarget, 'uri' | 'digest'>,
  at = '',
): void => {
  if (!isKnownScheme(uri))
    throw refused(
      { path: `${at}/uri`, keyword: 'scheme', message: 'its scheme is not a registered one' },
      'Give a URI that others can follow: https, http, urn or one of the other schemes in allowedValues.',
      { allowedValues: URI_SCHEMES },
    );
  if (digest && SHA_256.test(digest.alg) && !HEX_256.test(digest.value))
    throw refused(
      {
        path: `${at}/digest/value`,
        keyword: 'digest',
        message: 'a SHA-256 digest is 64 hexadecimal digits',
      },
      'Send the digest in hex, as sha256sum prints it.',
    );
};

const SHA_256 = /^sha-?256$/i;
const HEX_256 = /^[0-9a-f]{64}$/i;

const refused = (
  error: FieldError,
  suggestion: string,
  members: { readonly allowedValues?: readonly string[] } = {},
): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The reference cannot be taken: ${error.path} ${error.message}.`,
    {
      errors: [error],
      suggestion,
      ...members,
    },
  );

/** Limit for the references on one record or on one agent. */
export const MAX_REFERENCES = 32;

/** Each pair of kind and URI occurs once; adding it again changes nothing. */
export const findReference = <R extends Pick<ReferenceTarget, 'kind' | 'uri'>>(
  references: readonly R[],
  target: Pick<ReferenceTarget, 'kind' | 'uri'>,
): R | null =>
  references.find(({ kind, uri }) => kind === target.kind && uri === target.uri) ?? null;
