import type { MessageEnvelope } from '../../domain/federation/message.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** A message names its sender and its receiver, so that it cannot be carried to another hub. */
export const assertAddressed = (
  { originHubId, toHubId }: Pick<MessageEnvelope, 'originHubId' | 'toHubId'>,
  peer: Uuid,
  own: Uuid,
): void => {
  if (originHubId === peer && toHubId === own) return;
  throw new NotaryError('VALIDATION_ERROR', 'The message is not from this peer to this hub.', {
    errors: [
      {
        path: originHubId === peer ? '/toHubId' : '/originHubId',
        keyword: 'const',
        message: 'names another hub',
      },
    ],
  });
};
