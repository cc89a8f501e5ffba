/** Response headers, by name. */
export const HEADERS = {
  'X-Request-ID': {
    description: 'The id of this request, in every log line and signed entry it causes',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests a minute in the tightest window',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'Requests left in it', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'Seconds until it is empty again',
    schema: { type: 'integer' },
  },
  RateLimit: { description: 'The same, as the IETF field', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'All windows that apply', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'RFC 6750 challenge', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description:
      'true where this is the kept answer of an earlier request under the same Idempotency-Key; secrets are null in it',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: {
    description: 'The methods that the path takes (RFC 9110 section 10.2.1)',
    schema: { type: 'string' },
    example: 'GET, POST, HEAD, OPTIONS',
  },
} as const;

/** Header parameters that several operations take, by the name of the component. */
export const PARAMETERS = {
  RequestId: {
    name: 'X-Request-ID',
    in: 'header',
    description: 'At most 128 letters, digits and hyphens; an invalid one is replaced',
    schema: { type: 'string', maxLength: 128 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes a repetition of this request act once; kept for 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 256 },
  },
  Signature: {
    name: 'Signature',
    in: 'header',
    description:
      'Co-signature of the whole request by the key of a certificate (RFC 9421): Ed25519, in base64 between colons. It is sealed with what the call does',
    schema: { type: 'string' },
  },
  SignatureInput: {
    name: 'Signature-Input',
    in: 'header',
    description:
      'Comes with Signature: covers @method, @target-uri and content-digest, with created, a nonce and the tag service-cosign',
    schema: { type: 'string' },
    example:
      'sig1=("@method" "@target-uri" "content-digest");created=1767225600;nonce="9f3c";tag="service-cosign"',
  },
  ContentDigest: {
    name: 'Content-Digest',
    in: 'header',
    description: 'Comes with Signature: SHA-256 of the raw body, also of an empty one (RFC 9530)',
    schema: { type: 'string' },
    example: 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
  },
  AgentSignature: {
    name: 'X-Agent-Signature',
    in: 'header',
    description:
      'Co-signature of the body alone, in the place of Signature: base64 of an Ed25519 signature over the 32 bytes of the SHA-256 of the raw body. It is sealed with what the call does',
    schema: { type: 'string' },
  },
  AgentSignatureContentHash: {
    name: 'X-Agent-Signature-Content-Hash',
    in: 'header',
    description: 'Comes with X-Agent-Signature: the SHA-256 of the raw body, lowercase hex',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  SubjectToken: {
    name: 'X-Service-Subject-Token',
    in: 'header',
    description:
      'A JWT of a trusted issuer (RFC 8693) whose outermost act is the calling agent: its subject, and who acts for it, are sealed as validated',
    schema: { type: 'string', maxLength: 16384 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Act only where the record still has this ETag; else 412',
    schema: { type: 'string' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 where what is asked for still has this ETag',
    schema: { type: 'string' },
    example: '"3"',
  },
} as const;

export const ref = (place: string): Json => ({ $ref: `#/components/${place}` });

export const headerRef = (name: keyof typeof HEADERS): readonly [string, Json] => [
  name,
  ref(`headers/${name}`),
];

/** The headers of every answer, and those of this one. */
export const headersFor = (own: Iterable<readonly [string, Json]> = []): Json =>
  Object.fromEntries([
    ...(
      [
        'X-Request-ID',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'RateLimit',
        'RateLimit-Policy',
      ] as const
    ).map(headerRef),
    ...own,
  ]);

export type Json = { readonly [member: string]: unknown };
