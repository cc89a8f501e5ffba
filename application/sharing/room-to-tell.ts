import { NotaryError } from '../../domain/kernel/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/**
 * Of entries, before base64: what home's own acts may bring besides (steps-between.ts), and evidence of a mebibyte, fit with them
 * into the body that a hub takes by default.
 */
const MAX_UNTOLD_BYTES = 524_288;
/** Of the newest entries, in one read. */
const PAGE = 16;

/**
 * Whether a mirror may seal more by itself. It travels with the mirror's next step, all at once: more than home can take would
 * leave that step, and all after it, undelivered for ever. True of every other record.
 *
 * @param headPosition of the chain, which is locked.
 */
export const hasRoomToTell = async (
  stores: Pick<Stores, 'chains' | 'federation'>,
  { id, federation }: RecordState,
  headPosition: number,
): Promise<boolean> => {
  if (federation?.role !== 'mirror' || federation.detached !== null) return true;
  const told = (await stores.federation.outgoing(id, federation.sent))?.position ?? 0;
  let bytes = 0;
  for (let from = headPosition; from > told; from -= PAGE) {
    const entries = await stores.chains.downFrom(recordChain(id), from, PAGE);
    for (const { position, coseSign1 } of entries) if (position > told) bytes += coseSign1.length;
    if (bytes > MAX_UNTOLD_BYTES) return false;
  }
  return true;
};

export const stepDue = (): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    'The home of the record has not heard of what was sealed here since the last step, and takes no more of it at once.',
    {
      reason: 'step_due',
      suggestion:
        'Take a step that home hears of, such as add-reference; then verify the children again.',
    },
  );
