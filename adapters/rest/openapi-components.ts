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
} as const;

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
  AgentSignature: {
    name: 'X-Agent-Signature',
    in: 'header',
    description:
      'Co-signature by the key of a certificate: base64 of an Ed25519 signature over the 32 bytes of the SHA-256 of the raw body. Or sign the whole request (RFC 9421: @method, @target-uri and content-digest, with created, a nonce and the tag service-cosign). It is sealed with what the call does',
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
    description: 'Answer 304 where the record still has this ETag',
    schema: { type: 'string' },
    example: '"3"',
  },
} as const;

export const ref = (place: string): Json => ({ $ref: `#/components/${place}` });

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
    ).map((name) => [name, ref(`headers/${name}`)] as const),
    ...own,
  ]);

export type Json = { readonly [member: string]: unknown };
