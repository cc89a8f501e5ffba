import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** In a thread: checks signatures of 1 KiB for so many milliseconds, and tells how many it did. */
const SCRIPT = `
const { generateKeyPairSync, randomBytes, sign, verify } = require('node:crypto');
const { parentPort, workerData } = require('node:worker_threads');
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const message = randomBytes(1024);
const signature = sign(null, message, privateKey);
for (let i = 0; i < 500; i++) verify(null, message, publicKey, signature);
const started = performance.now();
let count = 0;
while (performance.now() - started < workerData) {
  verify(null, message, publicKey, signature);
  count++;
}
parentPort.postMessage((count * 1000) / (performance.now() - started));
`;

/** Ed25519 verifications a second, by a thread a core, each of which does nothing else. */
export const rawVerifyAllCores = async (milliseconds: number): Promise<number> => {
  const rates = await Promise.all(
    Array.from(
      { length: availableParallelism() },
      () =>
        new Promise<number>((resolve, reject) => {
          const worker = new Worker(SCRIPT, { eval: true, workerData: milliseconds });
          worker.once('message', resolve);
          worker.once('error', reject);
        }),
    ),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
};
