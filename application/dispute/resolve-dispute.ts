import { actorOf, type Caller } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Dispute, DisputeOutcome } from '../../domain/dispute/dispute.ts';
import { resolvingAs } from '../../domain/dispute/actors.ts';
import { resolve } from '../../domain/dispute/moves.ts';
import { notResolver } from '../../domain/dispute/refusals.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ActOnDispute } from './act-on-dispute.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

export interface AskedResolution {
  readonly recordId: Uuid;
  readonly outcome: DisputeOutcome;
  readonly resolution: string;
}

/** The other side concedes, or the party that the tier names decides. */
export class ResolveDispute {
  constructor(private readonly actOnDispute: ActOnDispute) {}

  execute(
    context: CallContext,
    { recordId, outcome, resolution }: AskedResolution,
  ): Promise<DisputeResult> {
    const { caller } = context;
    return this.actOnDispute.byCaller(
      context,
      recordId,
      'resolve-dispute',
      async ({ record, chain }, dispute) => {
        assertResolver(caller, record.state, dispute, outcome);
        return resolve(
          record.state,
          dispute,
          { outcome, resolution, by: actorOf(caller) },
          chain.at,
        );
      },
    );
  }
}

/** A party can concede with disputes:write; deciding takes disputes:manage. */
const assertResolver = (
  caller: Caller,
  record: RecordState,
  dispute: Dispute,
  outcome: DisputeOutcome,
): void => {
  const resolving = resolvingAs(caller, record, dispute, outcome);
  if (resolving === null) throw notResolver(dispute, outcome);
  if (resolving === 'deciding' && !caller.allowed.has('disputes:manage')) {
    throw new NotaryError(
      'INSUFFICIENT_SCOPE',
      'To decide a dispute takes the scope disputes:manage; with disputes:write a party can concede.',
      { missingScopes: ['disputes:manage'] },
    );
  }
};
