import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { PublicKey } from '../../domain/vault/cose-key.ts';
import { spkiOf } from '../../domain/vault/cose-key.ts';
import type { ImmediateEquation } from '../../domain/vault/signatures.ts';

/** Of the keys of a hub, and of some of its agents. */
const MAX_KEYS = 256;

/** Checks signatures with the runtime's own library, at once: WebCrypto does the same with a detour over another thread. */
export const runtimeEquation = (): ImmediateEquation => {
  const known = new Map<PublicKey, KeyObject>();
  const imported = (key: PublicKey): KeyObject => {
    const found = known.get(key);
    if (found) return found;
    const made = createPublicKey({ key: Buffer.from(spkiOf(key)), format: 'der', type: 'spki' });
    if (known.size >= MAX_KEYS) known.clear();
    known.set(key, made);
    return made;
  };
  return (key, signature, bytes) =>
    key.algorithm === 'Ed25519'
      ? verify(null, bytes, imported(key), signature)
      : verify('sha256', bytes, { key: imported(key), dsaEncoding: 'ieee-p1363' }, signature);
};
