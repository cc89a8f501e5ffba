import { decodeBase64Strict } from '../kernel/base64.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';
import { CborError } from '../kernel/deterministic-cbor.ts';
import { KeyError } from '../vault/cose-key.ts';
import type { VerifyingKey, VerifyingKeys } from '../vault/signatures.ts';
import { readCoseKey, type CoseKeyClaim } from './cose-key-claim.ts';
import type { FailureClass } from './failure.ts';

/** The key that a KEY_ACTIVATED names. */
export interface ActivatedKey {
  readonly coseKeyBytes: Uint8Array;
  /** The COSE algorithm id. */
  readonly alg: number;
  /** Null where this verifier does not know the algorithm. */
  readonly verifying: VerifyingKey | null;
}

/** Reads the key from the predicate; null where there is none that may be trusted, which `fail` then reports. */
export const activatedKey = (
  predicate: JsonObject,
  keys: VerifyingKeys,
  fail: (failureClass: FailureClass, detail: string) => void,
): ActivatedKey | null => {
  const encoded = predicate['coseKey'];
  const coseKeyBytes = typeof encoded === 'string' ? decodeBase64Strict(encoded) : null;
  if (!coseKeyBytes) {
    fail('CHAIN_COSE_DECODE_FAILED', 'the statement holds no COSE_Key in canonical base64');
    return null;
  }
  try {
    const claim: CoseKeyClaim = readCoseKey(coseKeyBytes);
    return {
      coseKeyBytes,
      alg: claim.alg,
      verifying: claim.key && keys.of(claim.key),
    };
  } catch (error) {
    if (error instanceof KeyError)
      fail('CHAIN_KEY_POLICY_VIOLATION', `the key must not be trusted: ${error.message}`);
    else if (error instanceof CborError) fail('CHAIN_COSE_DECODE_FAILED', error.message);
    else throw error;
    return null;
  }
};
