import { KEEP_RECEIPT, READ_STATEMENT } from './views.ts';

const HASH = '5c834b80c0b40ca993f0b4a3ef9d2e77a8a3e8113358e4f318866c02cd448362';
const ROOT = 'e1dba63622c67f39bc40bbbcfd62c22a4f3355aa72dff1044d6c5dba52448e61';
const LOG = 'scitt:019c1f00-0000-7000-8000-000000000001';

export const STATEMENT = '0oRYG6MBJwRYIA==';
export const LOGGED = {
  entryId: HASH,
  leafIndex: 41,
  transparentStatement: '0oRYG6MBJwRYIA==',
  receipt: '0oRYOqQBJwRYIA==',
};
export const REGISTERED = {
  ...LOGGED,
  suggestion: KEEP_RECEIPT,
  nextSteps: [{ ...READ_STATEMENT, input: { entryId: HASH } }],
};
export const LOG_HEAD = {
  logId: LOG,
  treeSize: 42,
  rootHex: ROOT,
  iat: 1795343400,
  kid: '3f0c2a9d5b8e47f1a6d2c4e8b0917f35',
  coseSign1: '0oRYxKUBJwN4HA==',
};
export const CONSISTENCY = {
  logId: LOG,
  from: 41,
  to: 42,
  fromRoot: HASH,
  toRoot: ROOT,
  path: [HASH, ROOT],
};
