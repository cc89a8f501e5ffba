import { Type } from 'typebox';
import { KEY_ID } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { VERIFICATION_KEYS } from './examples.ts';
import { ListVerificationKeys } from './list-verification-keys.ts';
import { RotateSigningKey } from './rotate-signing-key.ts';
import {
  LIST_VERIFICATION_KEYS,
  PIN_AGAIN,
  RotatedSigningKeySchema,
  rotatedSigningKeyView,
} from './rotated-signing-key-view.ts';
import { VerificationKeysSchema, verificationKeysView } from './verification-keys-view.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;

export const listSigningKeys = operation({
  id: 'listSigningKeys',
  words: {
    summary: 'The signing keys of the vault, newest first',
    description: 'As the key statements on the platform chain say, whatever the stored rows do.',
    group: 'Vault',
  },
  effect: 'read',
  access: () => PLATFORM,
  input: Type.Object({}, { additionalProperties: false }),
  output: VerificationKeysSchema,
  result: { description: 'Every key, newest activation first', example: VERIFICATION_KEYS },
  useCase: ListVerificationKeys,
  view: (keys) => ({ view: verificationKeysView(keys) }),
});

export const rotateSigningKey = operation({
  id: 'rotateSigningKey',
  words: {
    summary: 'Retire the signing key and activate a new one',
    description:
      'Safe while writes go on: what waits is signed by the new key. The new key has the algorithm of VAULT_ALGORITHM. A key that was stolen is retired as compromised: then a verifier takes nothing from it that no checkpoint covers.',
    group: 'Vault',
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object(
    {
      reason: Type.Optional(
        Type.Union([Type.Literal('scheduled'), Type.Literal('compromised')], {
          default: 'scheduled',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: RotatedSigningKeySchema,
  examples: { scheduled: {}, compromised: { reason: 'compromised' } },
  result: {
    description: 'The rotation',
    example: {
      previousKeyId: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
      newKeyId: KEY_ID,
      status: 'rotated',
      suggestion: PIN_AGAIN,
      nextSteps: [LIST_VERIFICATION_KEYS],
    },
  },
  problems: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  useCase: RotateSigningKey,
  view: (rotation, guide) => ({ view: rotatedSigningKeyView(rotation, guide) }),
});
