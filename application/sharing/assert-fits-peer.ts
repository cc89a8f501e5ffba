import { NotaryError } from '../../domain/kernel/errors.ts';
import type { MessageContent } from '../../domain/federation/message.ts';

/**
 * A peer answers 413 to a message that is longer than it takes, and the record stands still for ever: the same bytes fare no
 * better. So whoever brings the content is refused, before anything is stored. Content grows in a message: 1e20 is written with 21
 * digits there. What carries none comes of the service itself (a deadline, the end of children) and must not be refused.
 *
 * @param maxBytes of a body that a hub with the settings of this one takes: the peer's own are not known.
 * @throws NotaryError UNPROCESSABLE, reason too_long_for_peer.
 */
export const assertFitsPeer = (
  body: Uint8Array,
  { manifest, items }: MessageContent,
  maxBytes: number,
): void => {
  if (body.length <= maxBytes || (manifest === undefined && items.length === 0)) return;
  throw new NotaryError(
    'UNPROCESSABLE',
    `The message that would tell the peer of this has ${body.length} bytes, and a peer takes ${maxBytes}: the content is written anew in it, where a number such as 1e20 has all its digits.`,
    {
      reason: 'too_long_for_peer',
      suggestion:
        'Send shorter content: write long numbers as strings, or put the hash of large content into it and its address into a reference. On a mirror that has much to tell, take a step without content first, such as add-reference.',
    },
  );
};
