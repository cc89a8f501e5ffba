import { Type } from 'typebox';
import {
  MAX_PUBLISHER_LABEL,
  MAX_TYPE_NAME,
  TYPE_NAME_PATTERN,
} from '../../domain/record-type/manifest.ts';
import { JsonObjectSchema, line, nullable, oneOf, orNull, text } from '../call/schemas.ts';

export const TypeName = Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME });
export const Publisher = Type.String({
  pattern: TYPE_NAME_PATTERN,
  maxLength: MAX_PUBLISHER_LABEL,
});
export const Version = Type.Integer({ minimum: 1 });
const Seconds = Type.Integer({ minimum: 1, maximum: 3_155_760_000 });

const Cascade = Type.Object(
  {
    rule: oneOf(['none', 'all-fulfilled', 'any-fulfilled', 'quorum']),
    quorum: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many children must be fulfilled; exactly with the rule quorum',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'What delegated records mean to their parent; default {"rule": "none"}. Under any other rule a completion waits for their end',
  },
);

/** The manifest as its publisher sends it; every optional member has a default. */
export const MANIFEST_MEMBERS = {
  type: TypeName,
  publisher: Type.Optional({ ...Publisher, description: 'Default: the slug of the org' }),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Default: the newest one and 1' }),
  ),
  title: Type.Optional(nullable(line({ maxLength: 256 }))),
  description: Type.Optional(nullable(text({ maxLength: 4096 }))),
  criteriaSchema: Type.Optional({
    ...JsonObjectSchema,
    description: 'JSON Schema 2020-12; default {"type":"object"}',
  }),
  completionSchema: {
    ...JsonObjectSchema,
    description: 'JSON Schema 2020-12; {} makes the type notarize-only',
  },
  gateMode: Type.Optional(
    oneOf(
      ['auto', 'principal'],
      'Who decides on a completion: the gates (auto), or the principal with their advice; default principal',
    ),
  ),
  operatingMode: Type.Optional(
    oneOf(
      ['cleartext', 'encrypted'],
      'encrypted: content is JWE, and the service applies neither schemas nor gates; default cleartext',
    ),
  ),
  gates: Type.Optional(
    Type.Array(
      Type.Object(
        {
          id: line({ minLength: 1, maxLength: 64 }),
          description: Type.Optional(text({ maxLength: 1024 })),
          expression: Type.String({
            minLength: 1,
            description:
              'CEL over criteria, evidence, record, completion, children, dispute (null unless the gates judge again in one) and now (the time of submission). Whatever is not true fails, an error too',
          }),
          severity: Type.Optional(
            oneOf(['block', 'warn'], 'warn is told and never decides; default block'),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  ),
  cascade: Type.Optional(Cascade),
  compatibilityMode: Type.Optional(
    oneOf(
      ['none', 'backward', 'forward', 'full'],
      'What a version must keep of the newest active one; default backward: whatever was valid stays valid',
    ),
  ),
  maxDelegationDepth: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'Levels below a record of the type; default 5',
    }),
  ),
  maxDisputes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'Of one record, withdrawn ones included; default 1',
    }),
  ),
  maxRevisions: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How often the principal may ask for a better completion; default 3',
    }),
  ),
  defaultTtlSeconds: Type.Optional(
    nullable({
      ...Seconds,
      description: 'When a record expires that names no deadline; default never',
    }),
  ),
  verdictWindowSeconds: Type.Optional({
    ...Seconds,
    description:
      'How long a completion may wait for its verdict before the record expires; default 604800',
  }),
  disputeWindowSeconds: Type.Optional({
    ...Seconds,
    description: 'How long an outcome can be disputed; default 604800',
  }),
  evidenceWindowSeconds: Type.Optional({
    ...Seconds,
    description: 'How long the first tier of a dispute lasts; default 259200',
  }),
  public: Type.Optional(
    Type.Boolean({
      description: 'Lets anyone read both schemas, without a credential; default false',
    }),
  ),
  exampleCriteria: Type.Optional(orNull(JsonObjectSchema)),
  exampleEvidence: Type.Optional(orNull(JsonObjectSchema)),
};
