import { hash } from 'node:crypto';
import { hashWith } from '../../domain/kernel/digest.ts';

/** Lets the domain hash with the runtime's own SHA-256. Whoever starts a process or a thread calls it once; again does no harm. */
export const hashWithRuntime = (): void => hashWith(runtimeSha256);

const runtimeSha256 = (bytes: Uint8Array): Uint8Array => {
  const digest = hash('sha256', bytes, 'buffer');
  return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
};
