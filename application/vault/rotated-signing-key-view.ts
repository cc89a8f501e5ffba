import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { RotationResult } from './rotate-signing-key.ts';

export const RotatedSigningKeySchema = Type.Object({
  previousKeyId: Type.String({ description: 'The key that was active when the call came' }),
  newKeyId: Type.String({ description: 'The active key' }),
  status: oneOf(
    ['rotated', 'already_active'],
    'already_active: another rotation was faster, or the settings name the active key of a device or key service; nothing was left to do',
  ),
  hint: Type.Optional(
    Type.String({
      description:
        'How many deliveries can no longer be signed, where the algorithm is another one',
    }),
  ),
  ...GUIDANCE,
});

/** Also in the example of the answer. */
export const PIN_AGAIN =
  'Auditors add the fingerprint of the new key to those they have; tell them, and back the database up: no older copy holds this rotation.';

/** The signer holds one key, which the settings name. */
const NAME_ANOTHER =
  'The settings name this very key. To rotate, name another one in them and this one in SIGNER_PREVIOUS, and start every node anew.';

export const LIST_VERIFICATION_KEYS = {
  action: 'list-keys',
  operation: 'listVerificationKeys',
  input: {},
  description: 'Read the keys, with the statements that lead from the old one to the new one',
};

export const rotatedSigningKeyView = (
  { unsignable, ...rotation }: RotationResult,
  guide: Guide,
): ViewOf<typeof RotatedSigningKeySchema> => ({
  ...rotation,
  ...(unsignable ? { hint: hintOf(unsignable) } : {}),
  suggestion: rotation.newKeyId === rotation.previousKeyId ? NAME_ANOTHER : PIN_AGAIN,
  nextSteps: guide.steps(LIST_VERIFICATION_KEYS),
});

const hintOf = ({ deliveries, was, is }: NonNullable<RotationResult['unsignable']>): string =>
  `Deliveries that wait for webhooks of the scheme ${was}: ${deliveries}. The new key cannot sign them, so they go to the DLQs, reason signing_algorithm_unavailable. Create webhooks of the scheme ${is} for their receivers.`;
