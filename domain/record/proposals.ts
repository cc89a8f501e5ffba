import type { JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import { NotaryError } from '../kernel/errors.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { Party } from './creation.ts';
import { encryptionOf } from './jwe.ts';
import type { Transition } from './lifecycle.ts';
import { changeOf, reasonOf, type RecordChange } from './record-change.ts';
import { criteriaHashOnTable, type RecordState } from './record-state.ts';
import { messageHashOf } from './record-statement.ts';
import { guardFailure } from './refusal.ts';

/** Offers a draft to a performer. */
export const propose = (
  record: RecordState,
  transition: Transition,
  performer: Party,
  at: string,
): RecordChange => {
  if (performer.agentId === record.principalAgentId)
    throw guardFailure(
      'not-to-oneself',
      'A record is not proposed to its own principal.',
      record,
      'Activate the record to perform it yourself, or name another performer.',
    );
  return changeOf(
    record,
    transition,
    at,
    {
      status: 'PROPOSED',
      awaiting: 'performer',
      performerAgentId: performer.agentId,
      performerOrgId: performer.orgId,
    },
    { sealed: {}, eventData: { round: 0, awaiting: 'performer' } },
  );
};

/** Answers a proposal, or a counter-proposal, with other criteria; the other side is awaited then. */
export const counterPropose = (
  record: RecordState,
  transition: Transition,
  counter: {
    readonly criteria: JsonObject;
    readonly message: string | null;
    readonly by: ActorClaim;
  },
  at: string,
): RecordChange => {
  const round = record.proposalRounds + 1;
  const awaiting = record.awaiting === 'principal' ? 'performer' : 'principal';
  const counterProposal = {
    criteria: counter.criteria,
    criteriaHash: hashJson(counter.criteria),
    message: counter.message,
    proposedBy: counter.by,
    proposedAt: at,
  };
  return changeOf(
    record,
    transition,
    at,
    { counterProposal, proposalRounds: round, awaiting },
    {
      sealed: {
        ...messageHashOf(counter.message),
        ...encryptionOf(record.operatingMode, counter.criteria),
      },
      eventData: { round, awaiting, criteriaHash: counterProposal.criteriaHash },
    },
  );
};

/** @param criteriaHash the criteria that the accepting side expects to be on the table; null accepts whatever is. */
export const accept = (
  record: RecordState,
  transition: Transition,
  criteriaHash: string | null,
  at: string,
): RecordChange => {
  const { counterProposal, proposalRounds } = record;
  const onTable = criteriaHashOnTable(record);
  if (criteriaHash !== null && criteriaHash !== onTable) {
    throw new NotaryError(
      'UNPROCESSABLE',
      `The criteria on the table have the hash ${onTable}, not the one you sent.`,
      {
        errors: [{ path: '/criteriaHash', keyword: 'const', message: `is not ${onTable}` }],
        suggestion: 'Read the record again and accept what it says now.',
      },
    );
  }
  const agreed = counterProposal
    ? {
        criteria: counterProposal.criteria,
        criteriaHash: counterProposal.criteriaHash,
        counterProposal: null,
      }
    : {};
  return toActive(
    record,
    transition,
    at,
    { round: proposalRounds, awaiting: 'performer', criteriaHash: onTable },
    agreed,
  );
};

export const reject = (
  record: RecordState,
  transition: Transition,
  reason: string | null,
  at: string,
): RecordChange =>
  changeOf(
    record,
    transition,
    at,
    { status: 'REJECTED', awaiting: null, terminalAt: at },
    {
      sealed: reasonOf(reason),
      eventData: { round: record.proposalRounds, awaiting: null, reason },
    },
  );

export const activate = (record: RecordState, transition: Transition, at: string): RecordChange =>
  toActive(record, transition, at, {});

const toActive = (
  record: RecordState,
  transition: Transition,
  at: string,
  eventData: JsonObject,
  agreed: Partial<RecordState> = {},
): RecordChange => {
  const { principalAgentId, performerAgentId, orgId, performerOrgId } = record;
  const performer = performerAgentId
    ? { performerAgentId, performerOrgId }
    : { performerAgentId: principalAgentId, performerOrgId: orgId };
  return changeOf(
    record,
    transition,
    at,
    { ...agreed, ...performer, status: 'ACTIVE', awaiting: 'performer', activatedAt: at },
    { sealed: {}, eventData },
  );
};
