import type { SignatureResult, VerifyingKey } from '../../vault/signatures.ts';
import type { FailureClass } from '../report/failure.ts';

/**
 * Says what a signature check came to, where that is not that it holds.
 *
 * @param invalid the class of a wrong signature of its kind.
 */
export const tellSignature = (
  result: SignatureResult,
  { keyId, key }: VerifyingKey,
  invalid: FailureClass,
  fail: (failureClass: FailureClass, detail: string) => void,
): void => {
  if (result === 'invalid')
    fail(invalid, `the signature is not one of the key ${keyId} over these bytes`);
  if (result === 'unsupported')
    fail('CHAIN_UNSUPPORTED_ALGORITHM', `this runtime cannot check ${key.algorithm}`);
};
