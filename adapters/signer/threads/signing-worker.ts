import { KeyObject } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { ALGORITHMS } from '../../../domain/vault/algorithm.ts';
import { signatureNow } from '../node-signer.ts';
import type { SigningAnswer, SigningTask, SigningThreadKey } from './signing-messages.ts';

/** Runs in the thread of signing-thread.ts. */
const { algorithm, key } = workerData as SigningThreadKey;
const row = ALGORITHMS[algorithm];
const signingKey = KeyObject.from(key);

const answer = ({ bytes, lengths }: SigningTask): SigningAnswer => {
  try {
    const signatures = new Uint8Array(lengths.length * row.signatureLength);
    let from = 0;
    lengths.forEach((length, index) => {
      const message = bytes.subarray(from, (from += length));
      signatures.set(signatureNow(row, signingKey, message), index * row.signatureLength);
    });
    return { signatures };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
};

parentPort?.on('message', (task: SigningTask) => parentPort?.postMessage(answer(task)));
