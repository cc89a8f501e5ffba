import type { SignedStatement } from '../../../application/sealing/signed-statement.ts';

export const presentSignedStatement = (statement: SignedStatement | null): object | null =>
  statement && { ...statement, coseSign1: Buffer.from(statement.coseSign1).toString('base64') };
