import { NotaryError } from '../../domain/kernel/errors.ts';
import { AnchorError, type AnchorStore } from '../../domain/vault/anchor.port.ts';

/**
 * @throws CONFLICT with reason anchors_off where there is no store.
 * @throws SERVICE_UNAVAILABLE where it cannot be read.
 */
export const withAnchors = async <T>(
  anchors: AnchorStore | null,
  work: (anchors: AnchorStore) => Promise<T>,
): Promise<T> => {
  if (!anchors)
    throw new NotaryError('CONFLICT', 'Checkpoints are not anchored here: ANCHOR is none.', {
      reason: 'anchors_off',
      suggestion: 'Set ANCHOR to filesystem or s3, and start the service again.',
    });
  try {
    return await work(anchors);
  } catch (cause) {
    if (!(cause instanceof AnchorError)) throw cause;
    throw new NotaryError('SERVICE_UNAVAILABLE', 'The store of anchors cannot be read now.', {
      retryAfter: 10,
    });
  }
};
