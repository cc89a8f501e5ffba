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

/** Limit for the references on one record or on one agent. */
export const MAX_REFERENCES = 32;

/** Each pair of kind and URI occurs once; adding it again changes nothing. */
export const findReference = <R extends Pick<ReferenceTarget, 'kind' | 'uri'>>(
  references: readonly R[],
  target: Pick<ReferenceTarget, 'kind' | 'uri'>,
): R | null =>
  references.find(({ kind, uri }) => kind === target.kind && uri === target.uri) ?? null;
