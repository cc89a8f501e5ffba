import { Type, type Static, type TSchema, type TUnsafe } from 'typebox';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { ProblemMembers } from '../../domain/kernel/errors.ts';
import { LINE_PATTERN, TEXT_PATTERN } from '../../domain/kernel/plain-text.ts';
import {
  RECORD_ENTRY_TYPES,
  SCHEMA_ENTRY_TYPES,
  PLATFORM_ENTRY_TYPES,
} from '../../domain/vault/entry-type.ts';
import { ACTIONS } from '../../domain/record/actions.ts';
import { STATUSES } from '../../domain/record/record-status.ts';

/** What the schemas of several resources share. */
export const Uuid = Type.String({ format: 'uuid', description: 'A UUID in lowercase' });
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601; answers are in UTC with milliseconds',
});
export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256, lowercase hex',
});
/** A name that people read: one line, without control, invisible and bidirectional characters. */
export const line = (options: { readonly [keyword: string]: unknown } = {}) =>
  Type.String({ ...options, pattern: LINE_PATTERN });
/** A text that people read, of one line or several. */
export const text = (options: { readonly [keyword: string]: unknown } = {}) =>
  Type.String({ ...options, pattern: TEXT_PATTERN });
export const Base64 = Type.String({ contentEncoding: 'base64' });
export const JsonObjectSchema = Type.Unsafe<JsonObject>({
  type: 'object',
});

/** One of a closed set of strings. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  description?: string,
): TUnsafe<Values[number]> =>
  Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  });

/** The same scalar, or null. */
export const nullable = <S extends TSchema>(schema: S): TUnsafe<Static<S> | null> => {
  const {
    type,
    enum: values,
    ...rest
  } = schema as S & { readonly type: string; readonly enum?: readonly string[] };
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  });
};

/** The same object, or null; keeps the object recognisable as a component. */
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const Status = oneOf(STATUSES, 'Display status of a record');
export const Actor = Type.Object(
  {
    kind: oneOf(['agent', 'admin', 'platform', 'system', 'peer']),
    orgId: Type.Optional(Uuid),
    agentId: Type.Optional(Uuid),
    apiKeyId: Type.Optional(Uuid),
    certId: Type.Optional(Uuid),
    oidc: Type.Optional(Type.Object({ iss: Type.String(), sub: Type.String() })),
    peerHubId: Type.Optional(Uuid),
  },
  { description: 'Who did it, as the chain says it' },
);

export const SignedStatementSchema = Type.Object(
  {
    chainKey: Type.String({
      description: 'A record id, schema:<orgId>, or the zero UUID for platform operations',
    }),
    position: Type.Integer({ minimum: 1 }),
    // Its type is text: what a stored entry says is not checked again here.
    entryType: Type.Unsafe<string>(
      oneOf([...RECORD_ENTRY_TYPES, ...SCHEMA_ENTRY_TYPES, ...PLATFORM_ENTRY_TYPES]),
    ),
    hash: Sha256,
    previousHash: Sha256,
    signingKeyId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    algorithm: oneOf(['Ed25519', 'ES256']),
    canonicalization: oneOf(['jcs', 'cde'], 'jcs: RFC 8785; cde: RFC 8949 section 4.2.1'),
    coseSign1: Base64,
  },
  {
    description:
      'A chain entry. Keep it: with the public key alone it can be verified years later, without the service.',
  },
);

/** Marks a schema whose values each front-end shows in a form of its own. A mark, because a schema is copied where it is optional. */
export const SHOWN_AS = 'x-shown-as';

/** An operation and what is known of its input; each front-end shows how it is called there. */
export const NextStepSchema = Type.Object(
  {
    action: Type.String(),
    operation: Type.String(),
    input: Type.Unsafe<{ readonly [member: string]: string }>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    description: Type.String(),
    workflowStep: Type.Optional(Type.Integer()),
    workflowTotal: Type.Optional(Type.Integer()),
    workflowLabel: Type.Optional(Type.String()),
    afterThis: Type.Optional(Type.String()),
  },
  { description: 'One thing to do next that this credential may do', [SHOWN_AS]: 'step' },
);

/** A refusal inside an answer; each front-end shows it as it shows refusals of its own. */
export const RefusalSchema = Type.Object(
  {
    code: Type.String(),
    detail: Type.String(),
    members: Type.Unsafe<ProblemMembers>({ type: 'object' }),
    requestId: Type.String(),
  },
  { [SHOWN_AS]: 'refusal' },
);

export const RECORD_GUIDANCE = {
  nextActions: Type.Array(oneOf(ACTIONS), {
    description: 'Valid now for either party, as far as the scopes of the key go',
  }),
  validTransitions: Type.Array(Status),
  suggestion: Type.String(),
  hint: Type.String({ description: 'Why the first step is the first' }),
  nextSteps: Type.Array(NextStepSchema),
};

export const GUIDANCE = { suggestion: Type.String(), nextSteps: Type.Array(NextStepSchema) };

export const pageOf = <S extends TSchema>(row: S) =>
  Type.Object({
    data: Type.Array(row),
    total: Type.Integer({ description: 'Exact up to a cap' }),
    totalIsCapped: Type.Optional(
      Type.Boolean({ description: 'Present, and true, where there may be more than total' }),
    ),
    hasMore: Type.Boolean(),
    nextCursor: nullable(
      Type.String({
        description:
          'Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end',
      }),
    ),
  });

export const DEFAULT_PAGE_LIMIT = 50;
export const MAX_PAGE_LIMIT = 200;

/** A filter of listings that span orgs for a platform key. */
export const OrgFilter = {
  ...Uuid,
  description:
    'Only what an admin of this org would list, which is what one of its agents is a party to; for platform keys, or the own org',
};

/** What every listing takes. */
export const PAGE_INPUT = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_LIMIT,
      default: DEFAULT_PAGE_LIMIT,
      description: 'Rows a page',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1024,
      description:
        'The nextCursor of the page before; it continues the same listing of the same caller and no other',
    }),
  ),
};
