import type { Caller } from '../../../domain/identity/caller.ts';
import type { Dispute } from '../../../domain/dispute/dispute.ts';
import { assertDisputable, open, type DisputeDraft } from '../../../domain/dispute/moves.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import { actingOn } from '../../../domain/record/sides.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import { at, callerOf, id, stateOf } from '../record/support.ts';

/** A record that failed at 100 s: the performer may dispute it for 50 s, twice. */
export const failed = (members: Partial<RecordState> = {}): RecordState =>
  stateOf({
    status: 'FAILED',
    awaiting: null,
    terminalAt: at(100),
    disputeWindowSeconds: 50,
    maxDisputes: 2,
    version: 5,
    ...members,
  });

export const claimOf = (caller: Caller): ActorClaim => ({
  kind: 'agent',
  agentId: caller.agentId ?? undefined,
  apiKeyId: caller.apiKeyId ?? undefined,
});

export const draftOf = (members: Partial<DisputeDraft> = {}): DisputeDraft => ({
  id: id(500),
  caller: callerOf('performer'),
  by: claimOf(callerOf('performer')),
  grounds: 'QUALITY',
  statement: 'It was done.',
  evidence: null,
  windowSeconds: 60,
  ...members,
});

/** The record and the dispute that its performer opened at 110 s. */
export const disputed = (
  record: RecordState = failed(),
  caller: Caller = callerOf('performer'),
): { readonly record: RecordState; readonly dispute: Dispute } => {
  const side = assertDisputable(record, actingOn(caller, record), at(110));
  const { after, dispute } = open(record, side, draftOf({ caller, by: claimOf(caller) }), at(110));
  return { record: after, dispute };
};
