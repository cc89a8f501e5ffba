import type { VerifyingKey } from '../../vault/signatures.ts';
import type { ProtectedHeader } from '../../vault/cose-sign1.ts';
import type { FailureClass } from '../report/failure.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Findings } from '../report/report.ts';

/**
 * The key to check a signature of this log with, or null where that would prove nothing; what is wrong is reported.
 *
 * @param use `covered`: whether a checkpoint by a later key covers it.
 */
export const keyForOrgReads = (
  ring: KeyRing,
  header: ProtectedHeader,
  use: {
    readonly place: { readonly chainKey: string; readonly position: number };
    readonly at: string;
    readonly invalid: 'TENANT_READ_SIGNATURE_INVALID' | 'TENANT_CHECKPOINT_SIGNATURE_INVALID';
    readonly covered: boolean;
  },
  findings: Findings,
): VerifyingKey | null => {
  const { place, at, invalid, covered } = use;
  const fail = (failureClass: FailureClass, detail: string): null => {
    findings.fail('orgReads', 'chain', failureClass, place, detail);
    return null;
  };
  const key = ring.get(header.kid);
  if (!key) return fail(invalid, `no key statement activates the key ${header.kid}`);
  if (!key.reached)
    findings.cannotTell(
      'keySuccession',
      `cannot tell: nothing in this file leads from the key you trust to key ${key.keyId}; if the file is older than your pin, fetch it again`,
    );
  if (at < key.activatedAt)
    return fail('CHAIN_KEY_EXPIRED', `signed at ${at}, before the key ${key.keyId} was activated`);
  if (key.retiredAt !== null && at > key.retiredAt)
    return fail('CHAIN_KEY_EXPIRED', `signed at ${at}, after the key ${key.keyId} was retired`);
  if (key.retiredAt !== null && !covered)
    return fail(
      invalid,
      `the key ${key.keyId} was retired at ${key.retiredAt}, and no checkpoint by a later key covers this`,
    );
  if (!key.verifying)
    return fail(
      'CHAIN_UNSUPPORTED_ALGORITHM',
      `the key ${key.keyId} uses the COSE algorithm ${key.alg}, which this verifier does not know`,
    );
  if (header.alg !== key.alg)
    return fail(
      'CHAIN_ALG_MISMATCH',
      `the header names the COSE algorithm ${header.alg}, the key ${key.keyId} is one of ${key.alg}`,
    );
  return key.verifying;
};
