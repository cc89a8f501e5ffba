/**
 * The one error class of the service, and the catalogue of all its codes.
 *
 * A front-end maps `kind` to its own protocol (HTTP status, gRPC code, JSON-RPC error) and never
 * looks at a code. So a new code is one line here and nothing elsewhere.
 */
export type ErrorKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'timed-out'
  | 'uri-too-long'
  | 'expectation-failed'
  | 'header-too-large'
  | 'unsupported-media'
  | 'unprocessable'
  | 'rate-limited'
  | 'internal'
  | 'unavailable';

export interface CatalogueEntry {
  readonly kind: ErrorKind;
  /** Last segment of the problem type URI, `/problems/<slug>`. */
  readonly slug: string;
  readonly title: string;
  readonly retryable: boolean;
  /** What the caller can do. Shown where the thrower gives nothing more specific. */
  readonly suggestion: string;
}

const refusal = (
  kind: ErrorKind,
  slug: string,
  title: string,
  suggestion: string,
): CatalogueEntry => ({
  kind,
  slug,
  title,
  retryable: false,
  suggestion,
});
const passing = (
  kind: ErrorKind,
  slug: string,
  title: string,
  suggestion: string,
): CatalogueEntry => ({
  ...refusal(kind, slug, title, suggestion),
  retryable: true,
});

export const ERROR_CATALOGUE = {
  VALIDATION_ERROR: refusal(
    'malformed',
    'validation-error',
    'The request is not valid',
    'Correct the members listed in errors and send the request again.',
  ),
  UNAUTHORIZED: refusal(
    'unauthenticated',
    'unauthorized',
    'Authentication is required',
    'Send a valid API key as "Authorization: Bearer <API_KEY>".',
  ),
  FORBIDDEN: refusal(
    'forbidden',
    'forbidden',
    'The credential may not do this',
    'Use a credential with the role named in the detail.',
  ),
  INSUFFICIENT_SCOPE: refusal(
    'forbidden',
    'forbidden',
    'The credential lacks a scope',
    'Use a key that holds the scopes listed in missingScopes.',
  ),
  ACCOUNT_DEACTIVATED: refusal(
    'forbidden',
    'forbidden',
    'The agent is deactivated',
    'Ask a platform operator to reactivate the agent.',
  ),
  PLATFORM_REQUIRED: refusal(
    'forbidden',
    'forbidden',
    'A platform key is required',
    'Ask a platform operator to do this.',
  ),
  ORG_REQUIRED: refusal(
    'forbidden',
    'forbidden',
    'One org must be named',
    'Name the org with the query parameter orgId, or use a key of that org.',
  ),
  NOT_FOUND: refusal(
    'missing',
    'not-found',
    'Not found',
    'Check the identifier, and that the credential may read it.',
  ),
  METHOD_NOT_ALLOWED: refusal(
    'method-not-allowed',
    'method-not-allowed',
    'The path does not take this method',
    'Use a method listed in the Allow header.',
  ),
  NOT_ACCEPTABLE: refusal(
    'not-acceptable',
    'not-acceptable',
    'No such representation',
    'Ask for a media type listed in allowedValues.',
  ),
  CONFLICT: refusal(
    'conflict',
    'conflict',
    'The request conflicts with the current state',
    'Read the resource again and decide anew.',
  ),
  IN_FLIGHT: refusal(
    'conflict',
    'conflict',
    'The first request with this Idempotency-Key still runs',
    'Send the same request again after Retry-After seconds.',
  ),
  CONFLICTING_VERSION: refusal(
    'conflict',
    'conflict',
    'Another manifest holds this publisher, type and version',
    'Register the changed manifest under a new version.',
  ),
  RESERVED_PUBLISHER_LABEL: refusal(
    'conflict',
    'conflict',
    'The publisher label is not yours',
    'Leave publisher out to use the slug of your org, or choose another label.',
  ),
  STATUS_NOT_DISABLED: refusal(
    'conflict',
    'conflict',
    'The record type is not disabled',
    'Disable the record type first.',
  ),
  RECORDS_REFERENCE_TYPE: refusal(
    'conflict',
    'conflict',
    'Records use this record type',
    'Keep the record type disabled; records pin it for ever.',
  ),
  PROVISIONING_MANAGED: refusal(
    'conflict',
    'conflict',
    'The row is managed by provisioning files',
    'Change the provisioning file instead.',
  ),
  WEBHOOK_NOT_OWNED: refusal(
    'forbidden',
    'forbidden',
    'The webhook was not created by this operator',
    'Use a platform key of the agent that created it, or an admin key of its org.',
  ),
  ROW_HAS_DEPENDENT_RECORDS: refusal(
    'conflict',
    'conflict',
    'Other rows depend on this one',
    'Disable the row instead of deleting it.',
  ),
  STEP_PENDING: refusal(
    'conflict',
    'conflict',
    'A step of this record waits for its home',
    'Read the record again; once pendingStep is null, decide anew.',
  ),
  SEQUENCE_GAP: refusal(
    'conflict',
    'conflict',
    'A message before this one is missing',
    'Send the message with the sequence expectedSequence first.',
  ),
  CHAIN_REWIND_DETECTED: refusal(
    'conflict',
    'conflict',
    'The chain was rewound',
    'A platform key must acknowledge the rewind before new entries are written.',
  ),
  PRECONDITION_FAILED: refusal(
    'precondition-failed',
    'precondition-failed',
    'The resource changed meanwhile',
    'Read the resource again and send its current ETag in If-Match.',
  ),
  PAYLOAD_TOO_LARGE: refusal(
    'too-large',
    'payload-too-large',
    'The body is too large',
    'Send a smaller body.',
  ),
  REQUEST_TIMEOUT: refusal(
    'timed-out',
    'request-timeout',
    'The request did not arrive in time',
    'Send the request again on a new connection, with an Idempotency-Key where it acts.',
  ),
  URI_TOO_LONG: refusal(
    'uri-too-long',
    'uri-too-long',
    'The URL is too long',
    'Send a shorter URL: a page is found again by its cursor alone, and what is long belongs into a body.',
  ),
  EXPECTATION_FAILED: refusal(
    'expectation-failed',
    'expectation-failed',
    'The Expect header cannot be met',
    'Leave Expect out, or send Expect: 100-continue.',
  ),
  HEADER_TOO_LARGE: refusal(
    'header-too-large',
    'request-header-fields-too-large',
    'The header is too large',
    'Send fewer or shorter header fields.',
  ),
  UNSUPPORTED_MEDIA_TYPE: refusal(
    'unsupported-media',
    'unsupported-media-type',
    'The media type is not supported',
    'Send JSON with Content-Type: application/json.',
  ),
  UNPROCESSABLE: refusal(
    'unprocessable',
    'validation-error',
    'The request cannot be carried out',
    'Correct what the detail names and send the request again.',
  ),
  SCHEMA_VALIDATION_ERROR: refusal(
    'unprocessable',
    'schema-validation-error',
    'The content does not fit the record type',
    'Compare the content with examplePayload and the schema at schemaUrl.',
  ),
  SCHEMA_DIGEST_MISMATCH: refusal(
    'unprocessable',
    'schema-digest-mismatch',
    'A manifest does not match its digest',
    'Export the bundle again from its source.',
  ),
  AMBIGUOUS_PUBLISHER: refusal(
    'unprocessable',
    'ambiguous-publisher',
    'Several publishers offer this record type',
    'Name one of publishers in the member publisher.',
  ),
  INVALID_ACTION: refusal(
    'unprocessable',
    'invalid-action',
    'The action is unknown or not allowed now',
    'Choose one of allowedActions.',
  ),
  UNPROCESSABLE_STATE: refusal(
    'unprocessable',
    'unprocessable-state',
    'The record is not in a state for this',
    'Choose one of allowedActions.',
  ),
  INVALID_TRANSITION: refusal(
    'unprocessable',
    'invalid-transition',
    'The record is not in a state for this',
    'Choose one of allowedActions.',
  ),
  RATE_LIMITED: passing(
    'rate-limited',
    'rate-limited',
    'Too many requests',
    'Wait for the seconds given in Retry-After.',
  ),
  SERVICE_UNAVAILABLE: passing(
    'unavailable',
    'service-unavailable',
    'The service cannot answer now',
    'Try again after Retry-After seconds.',
  ),
  INTERNAL_ERROR: passing(
    'internal',
    'internal-error',
    'Something went wrong on our side',
    'Try again; if it persists, give the requestId to the operator.',
  ),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** For a code that comes from outside. */
export const isErrorCode = (text: string): text is ErrorCode =>
  Object.hasOwn(ERROR_CATALOGUE, text);

/** One finding of a validation: where (RFC 6901 JSON Pointer), which rule, in words. */
export interface FieldError {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** Extension members of a problem document (interface part 7). Each appears only where it applies. */
export interface ProblemMembers {
  errors?: readonly FieldError[];
  suggestion?: string;
  recoveryHint?: string;
  hint?: string;
  refreshUrl?: string;
  requiredFields?: readonly string[];
  optionalFields?: readonly string[];
  examplePayload?: unknown;
  schemaUrl?: string;
  /** Anyone can read the schema that was violated; this becomes its public URL in schemaUrl. */
  publicSchema?: 'criteria' | 'completion';
  recordType?: string;
  currentState?: string;
  attemptedTransition?: string;
  attemptedState?: string;
  validTransitions?: readonly string[];
  attemptedAction?: string;
  allowedActions?: readonly string[];
  allowedActors?: readonly string[];
  allowedValues?: readonly (string | number)[];
  disputeCount?: number;
  maxDisputes?: number;
  openDisputeId?: string | null;
  currentStatus?: string;
  disputeableWhen?: readonly string[];
  parentRecordId?: string;
  reason?: string;
  jobId?: string;
  publisher?: string;
  version?: number;
  incomingDigest?: string;
  existingDigest?: string;
  publishers?: readonly string[];
  pinnedRecords?: number;
  unattributableRecords?: number;
  missingScopes?: readonly string[];
  nextSteps?: readonly unknown[];
  /** Of a message of a peer: the sequence that is taken next. */
  expectedSequence?: number;
  /** Of a message of a peer: the counter-attestation of its refusal, base64. */
  attestation?: string;
  /** By the active key, where that of the counter-attestation was retired as compromised; base64. */
  confirmation?: string;
  /** Seconds; becomes the Retry-After header. */
  retryAfter?: number;
}

/**
 * Every refusal of the service. `detail` is written for the caller and is safe to show. What is not
 * safe to show goes into `cause`, which never leaves the process.
 */
export class NotaryError extends Error {
  override readonly name = 'NotaryError';
  readonly code: ErrorCode;
  readonly members: ProblemMembers;

  constructor(
    code: ErrorCode,
    detail: string,
    members: ProblemMembers = {},
    options?: { cause?: unknown },
  ) {
    super(detail, options);
    this.code = code;
    this.members = members;
  }

  get entry(): CatalogueEntry {
    return ERROR_CATALOGUE[this.code];
  }
}

export const notFound = (what: string, members: ProblemMembers = {}): NotaryError =>
  new NotaryError('NOT_FOUND', `There is no such ${what}.`, members);
