import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { SignedStatementSchema } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { SignedStatement } from './signed-statement.ts';

/** A chain entry as callers see it: bytes in base64. */
export const signedStatementView = (
  statement: SignedStatement,
): ViewOf<typeof SignedStatementSchema> => ({
  ...statement,
  coseSign1: encodeBase64(statement.coseSign1),
});

export const newestStatementView = (
  statement: SignedStatement | null,
): ViewOf<typeof SignedStatementSchema> | null => statement && signedStatementView(statement);
