import { NotaryError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { DAY_SECONDS, later, plusSeconds } from '../kernel/instant.ts';
import type { GateResult } from '../record-type/gate-evaluator.port.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { Completion } from './completion.ts';
import type { GateOutcome } from './gate.ts';
import type { Transition } from './lifecycle.ts';
import { transitionsOf } from './lifecycle-queries.ts';
import { changeOf, reasonOf, type RecordChange } from './record-change.ts';
import type { ClaimedGateResult } from './record-statement.ts';
import type { RecordState } from './record-state.ts';
import type { RecordStatus } from './record-status.ts';
import { conditionOf, guardRefusal, wrongState } from './refusal.ts';

/**
 * The gates decided, which they do in auto mode alone. Whoever asks has made sure that it is time; children, which
 * hold back `evaluate` by itself, do not hold back the second half of a submission.
 */
export const evaluate = (
  record: RecordState,
  completion: Completion,
  gate: GateOutcome,
  at: string,
): RecordChange => {
  const status = gate.state === 'PASSED' ? 'FULFILLED' : 'FAILED';
  const transition = transitionsOf('evaluate', record.status, conditionOf(record)).find(({ to }) =>
    to.includes(status),
  );
  if (!transition) throw wrongState('evaluate', record, status);
  const refusal = guardRefusal({ ...transition, guards: ['mode_not_auto'] }, record);
  if (refusal) throw refusal;
  const reason = status === 'FAILED' ? failedGates(gate.results) : null;
  return changeOf(
    record,
    transition,
    at,
    { status, awaiting: null, terminalAt: at, completionPending: false },
    {
      completion: {
        ...completion,
        gate: { state: gate.state, evaluatedAt: at, results: gate.results },
      },
      sealed: { gate: gate.claim },
      eventData: {
        completionId: completion.id,
        verdict: status === 'FULFILLED' ? 'accept' : 'reject',
        reason,
      },
    },
  );
};

export const renderVerdict = (
  record: RecordState,
  transition: Transition,
  completion: Completion,
  given: {
    readonly verdict: 'accept' | 'reject';
    readonly reason: string | null;
    readonly by: ActorClaim;
    readonly gateResults?: readonly ClaimedGateResult[];
  },
  at: string,
): RecordChange => {
  const { gateResults } = given;
  const verdict = {
    verdict: given.verdict,
    reason: given.reason,
    renderedBy: given.by,
    renderedAt: at,
    ...(gateResults ? { gateResults } : {}),
  };
  return changeOf(
    record,
    transition,
    at,
    {
      status: transition.to[0] as RecordStatus,
      awaiting: null,
      terminalAt: at,
      completionPending: false,
    },
    {
      completion: { ...completion, verdict },
      sealed: {
        verdict: given.verdict,
        ...reasonOf(given.reason),
        ...(gateResults ? { gate: { claimedBy: 'principal' as const, results: gateResults } } : {}),
      },
      eventData: { completionId: completion.id, verdict: given.verdict, reason: given.reason },
    },
  );
};

export const requestRevision = (
  record: RecordState,
  transition: Transition,
  reason: string | null,
  at: string,
): RecordChange => {
  const { expiresAt, latestCompletionId, revisionCount } = record;
  return changeOf(
    record,
    transition,
    at,
    {
      status: 'REVISION_REQUESTED',
      awaiting: 'performer',
      completionPending: false,
      revisionCount: revisionCount + 1,
      expiresAt: expiresAt === null ? null : later(expiresAt, plusSeconds(at, DAY_SECONDS)),
    },
    {
      sealed: reasonOf(reason),
      eventData: { completionId: latestCompletionId, reason, revisionCount: revisionCount + 1 },
    },
  );
};

/** A verdict is on the latest completion, never on one that was replaced. */
export const assertLatest = (record: RecordState, completionId: Uuid): void => {
  if (completionId !== record.latestCompletionId) {
    throw new NotaryError(
      'UNPROCESSABLE',
      'The completionId is not the latest completion of this record.',
      {
        errors: [
          {
            path: '/completionId',
            keyword: 'latest',
            message: `the latest completion is ${record.latestCompletionId ?? 'none'}`,
          },
        ],
        suggestion: 'Read the latest completion, then judge that one.',
      },
    );
  }
};

const failedGates = (results: readonly GateResult[]): string =>
  `failed gates: ${results
    .filter((result) => result.severity === 'block' && result.outcome !== 'pass')
    .map((result) => result.gateId)
    .join(', ')}`;
