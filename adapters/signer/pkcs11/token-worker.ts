import { parentPort, workerData } from 'node:worker_threads';
import { openTokenKey, type TokenKey } from './token-key.ts';
import type { TokenAnswer, TokenKeyName, TokenTask } from './token-messages.ts';

/** Runs in the thread of token-thread.ts: a call into a token may take long, and cannot be given up. */
const name = workerData as TokenKeyName;
let opened: Promise<TokenKey> | null = null;
let known: Uint8Array | null = null;

/** After a failure the key is opened anew, as long as it is the same one. */
const key = async (): Promise<TokenKey> => {
  opened ??= openTokenKey(name);
  const found = await opened;
  known ??= found.spki;
  if (!Buffer.from(known).equals(found.spki))
    throw new Error(`the token holds another key under the label ${name.key} now`);
  return found;
};

const answer = async ({ id, bytes }: TokenTask): Promise<TokenAnswer> => {
  try {
    const found = await key();
    return { id, bytes: Uint8Array.from(bytes ? await found.sign(bytes) : found.spki) };
  } catch (error) {
    opened = null;
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
};

// One after the other: a session of a token has one signature under way at a time.
let turn: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (task: TokenTask) => {
  turn = turn.then(async () => parentPort?.postMessage(await answer(task)));
});
