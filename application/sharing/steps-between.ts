import { NotaryError } from '../../domain/kernel/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { openedBehind } from '../sealing/entries-behind.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** Entries of home without a step of the mirror between them, when another dispute begins: it brings some fifty more. */
const MAX_WITHOUT_STEP = 180;

/**
 * Disputes that are opened and withdrawn are the one thing that a home can tell its mirror hundreds of times. What the mirror
 * seals of it, and its attestations, travel with the mirror's next step, all at once: more than home can take would leave that
 * step, and the performer's word in the dispute, undelivered for ever.
 *
 * @param chain its head is locked and verified by this unit of work.
 * @throws NotaryError UNPROCESSABLE with reason peer_step_due.
 */
export const assertStepsBetween = async (
  stores: Pick<Stores, 'chains'>,
  { federation }: RecordState,
  chain: OpenChain,
): Promise<void> => {
  if (federation?.role !== 'home' || federation.detached !== null) return;
  let told = 0;
  for await (const { predicate } of openedBehind(stores, chain)) {
    if (predicate['entryType'] === 'PEER_STATEMENT_ATTESTED') return;
    if (++told > MAX_WITHOUT_STEP) throw peerStepDue();
  }
};

const peerStepDue = (): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    'The performer, on another hub, has taken no step since very many disputes and pieces of evidence; another dispute would be more than its next step can acknowledge.',
    {
      reason: 'peer_step_due',
      suggestion:
        'Wait until the performer takes a step, such as a reference or a piece of evidence; then open the dispute.',
    },
  );
