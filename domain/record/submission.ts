import type { JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { later, plusSeconds } from '../kernel/instant.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { Completion } from './completion.ts';
import type { GateOutcome } from './gate.ts';
import { encryptionOf } from './jwe.ts';
import type { Transition } from './lifecycle.ts';
import { changeOf, type RecordChange } from './record-change.ts';
import type { RecordState } from './record-state.ts';

/** @param gate the advisory results in principal mode; null in auto mode, where the evaluation follows. */
export const submit = (
  record: RecordState,
  transition: Transition,
  submission: {
    readonly id: Uuid;
    readonly evidence: JsonObject;
    readonly by: ActorClaim;
    readonly position: number;
  },
  gate: GateOutcome | null,
  at: string,
): RecordChange => {
  const evidenceHash = hashJson(submission.evidence);
  const completion: Completion = {
    id: submission.id,
    recordId: record.id,
    revision: record.revisionCount + 1,
    evidence: submission.evidence,
    evidenceHash,
    submittedBy: submission.by,
    submittedAt: at,
    gate: gate
      ? { state: gate.state, evaluatedAt: at, results: gate.results }
      : { state: 'PENDING', evaluatedAt: null, results: [] },
    verdict: null,
    entryPosition: submission.position,
  };
  return changeOf(
    record,
    transition,
    at,
    {
      status: 'ACTIVE',
      awaiting: record.gateMode === 'auto' ? 'gate' : 'principal',
      latestCompletionId: completion.id,
      latestEvidenceHash: evidenceHash,
      completionPending: true,
      expiresAt: later(record.expiresAt, plusSeconds(at, record.verdictWindowSeconds)),
    },
    {
      completion,
      sealed: {
        ...(gate ? { gate: gate.claim } : {}),
        ...encryptionOf(record.operatingMode, submission.evidence),
      },
      eventData: {
        completionId: completion.id,
        evidenceHash,
        revision: completion.revision,
        gate: completion.gate.state,
      },
    },
  );
};
