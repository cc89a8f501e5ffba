import { Type, type Static } from 'typebox';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { statementLog } from '../../domain/transparency/statement-log.port.ts';
import { withReceipts } from '../../domain/transparency/scitt-statement.ts';
import type { Guide } from '../call/guide.ts';
import { Base64, GUIDANCE, Sha256 } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { LogConsistency } from './get-consistency.ts';
import type { SignedLogHead } from './get-log-head.ts';
import type { LoggedStatement } from './results.ts';

const Count = Type.Integer({ minimum: 0 });

export const LoggedStatementSchema = Type.Object({
  entryId: Type.String({ ...Sha256, description: 'The hash of its leaf' }),
  leafIndex: Count,
  transparentStatement: Type.String({
    ...Base64,
    description: 'The COSE_Sign1 with its receipt under label 394',
  }),
  receipt: Type.String({ ...Base64, description: 'COSE Receipt (RFC 9942), made now' }),
});

export const RegisteredStatementSchema = Type.Object({
  ...LoggedStatementSchema.properties,
  ...GUIDANCE,
});

/** Also in the example of the answer. */
export const KEEP_RECEIPT =
  'Keep the receipt beside the statement: with the key of the service it shows offline that the statement was registered.';

export const registeredStatementView = (
  logged: LoggedStatement,
  guide: Guide,
): ViewOf<typeof RegisteredStatementSchema> => ({
  ...loggedStatementView(logged),
  suggestion: KEEP_RECEIPT,
  nextSteps: guide.steps({ ...READ_STATEMENT, input: { entryId: toHex(logged.leaf.hash) } }),
});

export const READ_STATEMENT = {
  action: 'read-statement',
  operation: 'getStatement',
  description: 'Read the transparent statement, with a receipt of then',
};

export const loggedStatementView = ({
  leaf,
  statement,
  receipt,
}: LoggedStatement): Static<typeof LoggedStatementSchema> => ({
  entryId: toHex(leaf.hash),
  leafIndex: leaf.index,
  transparentStatement: encodeBase64(withReceipts(statement, [receipt])),
  receipt: encodeBase64(receipt),
});

export const LogHeadSchema = Type.Object({
  logId: Type.String({ description: 'scitt:<orgId>' }),
  treeSize: Count,
  rootHex: Sha256,
  iat: Type.Integer({ description: 'Seconds since 1970, as signed' }),
  kid: Type.String({ description: 'The keyId of the key that signed it' }),
  coseSign1: Type.String({
    ...Base64,
    description: 'The newest checkpoint of the schema chain of the org, which states size and root',
  }),
});

export const logHeadView = ({
  orgId,
  checkpoint,
  tree,
}: SignedLogHead): Static<typeof LogHeadSchema> => ({
  logId: statementLog(orgId),
  treeSize: tree.size,
  rootHex: toHex(tree.root),
  iat: Math.floor(Date.parse(checkpoint.createdAt) / 1000),
  kid: checkpoint.signingKeyId,
  coseSign1: encodeBase64(checkpoint.coseSign1),
});

export const LogConsistencySchema = Type.Object({
  logId: Type.String({ description: 'scitt:<orgId>' }),
  from: Count,
  to: Count,
  fromRoot: Sha256,
  toRoot: Sha256,
  path: Type.Array(Sha256, { description: 'RFC 9162 section 2.1.4' }),
});

export const logConsistencyView = (proof: LogConsistency): Static<typeof LogConsistencySchema> => ({
  logId: proof.logId,
  from: proof.from,
  to: proof.to,
  fromRoot: toHex(proof.fromRoot),
  toRoot: toHex(proof.toRoot),
  path: proof.path.map(toHex),
});
