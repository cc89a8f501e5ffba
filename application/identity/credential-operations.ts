import { Type } from 'typebox';
import { operation } from '../call/operation.ts';
import { CallerSchema, callerView } from './caller-view.ts';
import { ROTATED_KEY, WHOAMI } from './credential-examples.ts';
import { GetWhoami } from './get-whoami.ts';
import { RotateKey } from './rotate-key.ts';
import { RotatedApiKeySchema, rotatedApiKeyView } from './rotated-api-key-view.ts';

export const getWhoami = operation({
  id: 'getWhoami',
  words: { summary: 'Who this credential is, and what it may do', group: 'Authentication' },
  effect: 'read',
  access: () => ({ scope: null }),
  input: Type.Object({}, { additionalProperties: false }),
  output: CallerSchema,
  result: { description: 'The caller', example: WHOAMI },
  useCase: GetWhoami,
  view: (caller) => ({ view: callerView(caller) }),
});

export const rotateKey = operation({
  id: 'rotateKey',
  words: {
    summary: 'Replace the calling key by a new one that may do the same',
    description: 'The old key ends at once, or after gracePeriodSeconds.',
    group: 'Authentication',
  },
  effect: 'write',
  access: () => ({ scope: null }),
  input: Type.Object(
    { gracePeriodSeconds: Type.Optional(Type.Integer({ minimum: 0 })) },
    { additionalProperties: false },
  ),
  output: RotatedApiKeySchema,
  examples: { grace: { gracePeriodSeconds: 3600 } },
  result: { description: 'The new key, once', example: ROTATED_KEY },
  problems: ['UNPROCESSABLE', 'PROVISIONING_MANAGED'],
  secrets: ['apiKey'],
  useCase: RotateKey,
  view: (rotated, guide) => ({ view: rotatedApiKeyView(rotated, guide) }),
});
