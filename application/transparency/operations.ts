import { Type } from 'typebox';
import { MAX_SCITT_STATEMENT_BYTES } from '../../domain/transparency/scitt-statement.ts';
import { operation } from '../call/operation.ts';
import { Base64, Sha256 } from '../call/schemas.ts';
import { CONSISTENCY, LOG_HEAD, LOGGED, REGISTERED, STATEMENT } from './examples.ts';
import { GetConsistency } from './get-consistency.ts';
import { GetLogHead } from './get-log-head.ts';
import { GetStatement } from './get-statement.ts';
import { RegisterStatement } from './register-statement.ts';
import {
  LogConsistencySchema,
  logConsistencyView,
  loggedStatementView,
  LoggedStatementSchema,
  LogHeadSchema,
  logHeadView,
  registeredStatementView,
  RegisteredStatementSchema,
} from './views.ts';

const GROUP = 'Transparency';

export const registerStatement = operation({
  id: 'registerStatement',
  words: {
    summary: 'Register a signed statement and take its receipt',
    description:
      'A COSE_Sign1 (SCITT, RFC 9943) that an agent of the org signed: CWT claims iss and sub, the payload attached, deterministic outer bytes. Its kid is the RFC 9679 thumbprint of a registered signing key, or the keyId; its iss is registered for that key. A statement outside its validity period (CWT claims exp and nbf) is refused. The same statement again, by its key and what is signed, gives the entry that stands there.',
    group: GROUP,
  },
  effect: 'write',
  access: () => ({ scope: 'records:write' }),
  input: Type.Object(
    {
      statement: Type.String({
        ...Base64,
        maxLength: Math.ceil(MAX_SCITT_STATEMENT_BYTES / 3) * 4,
        description: 'The COSE_Sign1, tag 18',
      }),
    },
    { additionalProperties: false },
  ),
  output: RegisteredStatementSchema,
  examples: { statement: { statement: STATEMENT } },
  result: {
    description: 'It is registered; the receipt shows its place in the log',
    example: REGISTERED,
    found: { description: 'It was registered before; a receipt of now', example: REGISTERED },
  },
  problems: ['ORG_REQUIRED', 'CONFLICT'],
  useCase: RegisterStatement,
  view: (logged, guide) => ({ view: registeredStatementView(logged, guide), isNew: logged.isNew }),
});

export const getStatement = operation({
  id: 'getStatement',
  words: {
    summary:
      'A transparent statement: a registered one, or a chain entry of the org, with its receipt',
    group: GROUP,
  },
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object(
    { entryId: Type.String({ ...Sha256, description: 'The hash of its leaf, lowercase hex' }) },
    { additionalProperties: false },
  ),
  output: LoggedStatementSchema,
  result: { description: 'The statement with a receipt of now', example: LOGGED },
  problems: ['NOT_FOUND', 'ORG_REQUIRED', 'CONFLICT'],
  useCase: GetStatement,
  concerns: () => ({}),
  view: (logged) => ({ view: loggedStatementView(logged) }),
});

export const getLogHead = operation({
  id: 'getLogHead',
  words: {
    summary: 'The newest signed head of the log of the org',
    description: 'Signed in every round of checkpoints in which the log grew.',
    group: GROUP,
  },
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object({}, { additionalProperties: false }),
  output: LogHeadSchema,
  result: { description: 'The head', example: LOG_HEAD },
  problems: ['ORG_REQUIRED', 'CONFLICT'],
  useCase: GetLogHead,
  concerns: () => ({}),
  view: (head) => ({ view: logHeadView(head) }),
});

export const getConsistency = operation({
  id: 'getConsistency',
  words: {
    summary: 'The proof that the log of the org grew and changed in nothing',
    description:
      'Between two sizes, which signed heads state (RFC 9162 section 2.1.4). Compare the roots with the signed ones.',
    group: GROUP,
  },
  effect: 'read',
  access: () => ({ scope: 'audit:read' }),
  input: Type.Object(
    {
      from: Type.Integer({ minimum: 1, description: 'The older size' }),
      to: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The newer size; the present one by default' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: LogConsistencySchema,
  result: { description: 'Both roots and the path', example: CONSISTENCY },
  problems: ['ORG_REQUIRED', 'CONFLICT'],
  useCase: GetConsistency,
  concerns: () => ({}),
  view: (proof) => ({ view: logConsistencyView(proof) }),
});
