import { Type } from 'typebox';
import { operation } from '../call/operation.ts';
import { VERIFICATION_KEYS } from './examples.ts';
import { ListVerificationKeys } from './list-verification-keys.ts';
import { VerificationKeysSchema, verificationKeysView } from './verification-keys-view.ts';

export const listVerificationKeys = operation({
  id: 'listVerificationKeys',
  words: {
    summary: 'The public keys that verify what the vault signed',
    description:
      'Retired keys stay listed, so that older entries still verify. Find the key of an entry by its keyId and read its own algorithm. For an audit, obtain these keys, or their fingerprint, from somewhere other than the export.',
    group: 'Verification',
  },
  effect: 'read',
  access: () => 'public',
  input: Type.Object({}, { additionalProperties: false }),
  output: VerificationKeysSchema,
  result: {
    description: 'Every key, newest activation first',
    example: VERIFICATION_KEYS,
  },
  useCase: ListVerificationKeys,
  view: (keys) => ({ view: verificationKeysView(keys) }),
});
