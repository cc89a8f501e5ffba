import { NotaryError, type FieldError } from './errors.ts';
import { exactUrl } from './exact-url.ts';

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
 * @throws UNPROCESSABLE where the URI is code or content itself, where not every reader takes an http URL alike, or where a
 * SHA-256 digest is not one.
 */
export const assertReferenceTarget = (
  { uri, digest }: Pick<ReferenceTarget, 'uri' | 'digest'>,
  at = '',
): void => {
  const scheme = uri.slice(0, Math.max(0, uri.indexOf(':'))).toLowerCase();
  if (REFUSED_SCHEMES.has(scheme))
    throw refused(
      { path: `${at}/uri`, keyword: 'scheme', message: `${scheme} names nothing that others find` },
      `Give a URI of what is referred to, such as https, s3, git+https, oci, pkg, did or urn. Refused are ${[...REFUSED_SCHEMES].join(', ')}.`,
    );
  if (WEB_SCHEMES.has(scheme) && !exactUrl(uri))
    throw refused(
      { path: `${at}/uri`, keyword: 'format', message: 'not every reader takes this URL alike' },
      'Write the host as it is connected to, and leave out dot segments and an empty user name.',
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

/** Their URIs are code, or mean another thing to each reader. Any other scheme is taken (RFC 3986 section 3.1). */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'vbscript',
  'about',
  'view-source',
  'blob',
]);
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss']);

const SHA_256 = /^sha-?256$/i;
const HEX_256 = /^[0-9a-f]{64}$/i;

const refused = (error: FieldError, suggestion: string): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The reference cannot be taken: ${error.path} ${error.message}.`,
    { errors: [error], suggestion },
  );

/** Limit for the references on one record or on one agent. */
export const MAX_REFERENCES = 32;

/** Each pair of kind and URI occurs once; adding it again changes nothing. */
export const findReference = <R extends Pick<ReferenceTarget, 'kind' | 'uri'>>(
  references: readonly R[],
  target: Pick<ReferenceTarget, 'kind' | 'uri'>,
): R | null =>
  references.find(({ kind, uri }) => kind === target.kind && uri === target.uri) ?? null;
