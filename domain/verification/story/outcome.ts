import type {
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../record/record-statement.ts';
import { openDisputeId, readDisputeFacts } from '../../record/dispute-facts.ts';
import { TERMINAL, type RecordStatus } from '../../record/record-status.ts';
import type { JsonValue } from '../../kernel/canonical-json.ts';
import type { StoryOutcome } from '../report/story.ts';

const MEANINGS: Readonly<Record<RecordStatus, string>> = {
  CREATED: 'a draft that was offered to nobody yet',
  PROPOSED: 'proposed, and not answered yet',
  ACTIVE: 'the work is under way',
  REVISION_REQUESTED: 'the work has to be revised',
  RECORDED: 'notarized; nothing follows',
  FULFILLED: 'the work was accepted',
  FAILED: 'the work was rejected',
  REMEDIATED: 'the work counts as accepted in the end, after it had failed',
  EXPIRED: 'the time ran out',
  CANCELLED: 'it was called off',
  REJECTED: 'the proposal was turned down',
};

const AWAITED: Readonly<Record<NonNullable<RecordStatePredicate['awaiting']>, string>> = {
  principal: 'the principal',
  performer: 'the performer',
  gate: 'the gates',
  children: 'the delegated records',
};

/**
 * Where the record stands after its newest entry.
 *
 * @param at since when it has this status; ISO 8601.
 * @param recommendation the newest advice to the settlement platform.
 */
export const outcomeOf = (
  { transition, awaiting, expiresAt, dispute }: RecordStatePredicate,
  at: string,
  recommendation: SettlementSignalPredicate['recommendation'] | null,
): StoryOutcome => {
  const status = transition.to;
  const isFinal = TERMINAL.has(status);
  const isDisputed =
    openDisputeId({ dispute: readDisputeFacts(dispute as unknown as JsonValue | undefined) }) !==
    null;
  const parts = [
    MEANINGS[status],
    ...(isFinal || awaiting === null ? [] : [`it waits for ${AWAITED[awaiting]}`]),
    ...(isFinal || expiresAt === null ? [] : [`it expires at ${expiresAt}`]),
    ...(isDisputed ? ['this is disputed, and the dispute is open'] : []),
    ...(recommendation === null
      ? []
      : [`the newest advice to the settlement platform is ${recommendation}`]),
  ];
  return { status, at, isFinal: isFinal && !isDisputed, text: parts.join('; ') };
};
