/** What a party points at outside of the service. The service neither fetches it nor checks it. */
export interface ReferenceTarget {
  readonly kind: string;
  /** Absolute (RFC 3986 section 3). */
  readonly uri: string;
  /** Of what the URI led to when it was added, as the caller computed it. */
  readonly digest: { readonly alg: string; readonly value: string } | null;
  readonly label: string | null;
}

/** References on one record, or on one agent. */
export const MAX_REFERENCES = 32;

/** Each kind and uri is there once; what else is said of it stays as it was said first. */
export const findReference = <R extends Pick<ReferenceTarget, 'kind' | 'uri'>>(
  references: readonly R[],
  target: Pick<ReferenceTarget, 'kind' | 'uri'>,
): R | null =>
  references.find(({ kind, uri }) => kind === target.kind && uri === target.uri) ?? null;
