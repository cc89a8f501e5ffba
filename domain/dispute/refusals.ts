import { NotaryError, type ProblemMembers } from '../kernel/errors.ts';
import {
  MAX_DISPUTE_EVIDENCE_BYTES,
  MAX_DISPUTE_EVIDENCE,
  type Dispute,
  type DisputeOutcome,
} from './dispute.ts';
import { resolvers } from './actors.ts';
import type { Action } from '../record/actions.ts';
import type { RecordState } from '../record/record-state.ts';
import { context } from '../record/refusal.ts';

/** The outcomes that can be disputed, apart from the window and the limit. */
const DISPUTEABLE_WHEN = [
  'FULFILLED',
  'FAILED',
  'EXPIRED with a completion submitted',
  'CANCELLED by the principal with a completion submitted',
] as const;

export const notDisputable = (record: RecordState): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE_STATE',
    record.completionPending
      ? 'A completion awaits its verdict; there is no outcome to dispute yet.'
      : `A record that is ${record.status}, as this one is, has no outcome that can be disputed.`,
    {
      ...attempted(record, 'open-dispute'),
      currentStatus: record.status,
      disputeableWhen: DISPUTEABLE_WHEN,
      suggestion:
        record.terminalAt === null
          ? 'Wait for the outcome of the record, then dispute it.'
          : 'Nothing can be disputed here; read the record to see how it ended.',
    },
  );

/** A dispute is open already, or the limit of the record type is reached. */
export const noFurtherDispute = (record: RecordState): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE_STATE',
    record.disputed
      ? 'A dispute is open on this record already.'
      : `This record has had ${record.disputeCount} of at most ${record.maxDisputes} disputes; withdrawn ones count.`,
    {
      ...attempted(record, 'open-dispute'),
      ...(record.disputed ? { reason: 'record_disputed' } : {}),
      ...counts(record),
      suggestion: record.disputed
        ? 'Submit evidence to the dispute that is open.'
        : 'The outcome is final; export its audit trail.',
    },
  );

/** @param until when the window ended, ISO 8601. */
export const windowOver = (record: RecordState, until: string): NotaryError => {
  const members = attempted(record, 'open-dispute');
  return new NotaryError(
    'UNPROCESSABLE_STATE',
    `The outcome could be disputed until ${until}; that time is over.`,
    {
      ...members,
      allowedActions: (members.allowedActions ?? []).filter((action) => action !== 'open-dispute'),
      currentStatus: record.status,
      disputeableWhen: DISPUTEABLE_WHEN.map((status) => `${status}, before ${until}`),
      suggestion: 'The outcome is final; export its audit trail.',
    },
  );
};

/** The dispute has ended, or there never was one. */
export const noOpenDispute = (record: RecordState, action: Action): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE_STATE',
    record.disputeCount === 0
      ? 'No dispute was opened on this record.'
      : 'The dispute on this record has ended.',
    {
      ...attempted(record, action),
      ...counts(record),
      currentStatus: record.status,
      suggestion:
        record.disputeCount === 0
          ? 'Read the record to see what it allows.'
          : 'Read the dispute to see how it ended.',
    },
  );

export const highestTier = (record: RecordState): NotaryError =>
  new NotaryError('UNPROCESSABLE_STATE', 'The dispute is at its third and last tier.', {
    ...attempted(record, 'escalate-dispute'),
    ...counts(record),
    currentStatus: record.status,
    suggestion: 'Submit evidence, and wait for the platform to decide.',
  });

export const evidenceTooLarge = (bytes: number): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `A piece of evidence has at most ${MAX_DISPUTE_EVIDENCE_BYTES} bytes; this one has ${bytes}.`,
    {
      errors: [
        {
          path: '/evidence',
          keyword: 'maxLength',
          message: `has ${bytes} bytes in its canonical form`,
        },
      ],
      suggestion: 'Attach it as a reference with its digest, and submit what matters of it.',
    },
  );

export const evidenceFull = (): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `A dispute takes at most ${MAX_DISPUTE_EVIDENCE} pieces of evidence; this one is full.`,
    {
      errors: [
        {
          path: '/evidence',
          keyword: 'maxItems',
          message: `the dispute has ${MAX_DISPUTE_EVIDENCE} pieces of evidence`,
        },
      ],
      suggestion: 'Let the dispute be decided on the evidence that is there.',
    },
  );

export const notResolver = (dispute: Dispute, outcome: DisputeOutcome): NotaryError =>
  wrongActor(
    'resolve-dispute',
    resolvers(dispute, outcome),
    `In ${dispute.phase}, ${outcome} is for ${named(resolvers(dispute, outcome))} to say, and never for whoever opened the dispute.`,
  );

export const notInitiator = (): NotaryError =>
  wrongActor(
    'withdraw-dispute',
    INITIATORS,
    'A dispute is withdrawn by whoever opened it, by an admin of the org of its side, or by the platform.',
  );

const INITIATORS = ['initiator', 'admin', 'platform'] as const;

const wrongActor = (
  action: Action,
  allowedActors: readonly string[],
  detail: string,
): NotaryError =>
  new NotaryError('FORBIDDEN', detail, {
    attemptedAction: action,
    allowedActors,
    suggestion: `Let ${named(allowedActors)} do this${action === 'resolve-dispute' ? ', with a key that did not open the dispute' : ''}.`,
  });

const named = (names: readonly string[]): string => `the ${names.join(' or the ')}`;

const attempted = (record: RecordState, action: Action): ProblemMembers => ({
  ...context(record),
  attemptedTransition: action,
});

const counts = ({ disputeCount, maxDisputes, openDisputeId }: RecordState): ProblemMembers => ({
  disputeCount,
  maxDisputes,
  openDisputeId,
});
