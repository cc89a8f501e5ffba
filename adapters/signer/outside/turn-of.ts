import { decodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { decodeProtected, typOf } from '../../../domain/vault/cose-sign1.ts';

/** Every checkpoint is the next leaf of one log. */
const LOG = 'the log of checkpoints';

/**
 * What the bytes of a Sig_structure (RFC 9052 section 4.4) will be appended to: a chain, or the log of checkpoints. Null for
 * what is appended to nothing, such as a bundle or a proof of possession.
 */
export const turnOf = (bytes: Uint8Array): string | null => {
  try {
    const structure = decodeCbor(bytes);
    const bucket = Array.isArray(structure) ? structure[1] : undefined;
    if (!(bucket instanceof Uint8Array)) return null;
    const { typ, chain } = decodeProtected(bucket);
    return typ === typOf('checkpoint') ? LOG : (chain?.chainKey ?? null);
  } catch {
    return null;
  }
};
