import {
  escalateDispute,
  getDispute,
  getRecordDispute,
  listDisputes,
  openDispute,
  resolveDispute,
  submitDisputeEvidence,
  withdrawDispute,
} from '../../../application/dispute/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const RECORD = '/v1/records/{id}';
const ACT = {
  method: 'POST',
  names: { id: 'recordId' },
  refresh: RECORD,
  problems: { INVALID_ACTION: 'UNPROCESSABLE_STATE' },
} as const;

/** Objections to the outcome of a record, in three tiers. */
export const disputeBindings: readonly RestBinding[] = [
  bind(openDispute, {
    ...ACT,
    path: `${RECORD}/dispute`,
    status: 201,
    location: ({ id }) => `/v1/disputes/${id}`,
    locationWords: 'Path of the dispute',
  }),
  bind(getRecordDispute, {
    method: 'GET',
    path: `${RECORD}/dispute`,
    names: { id: 'recordId' },
  }),
  bind(submitDisputeEvidence, { ...ACT, path: `${RECORD}/dispute/evidence` }),
  bind(escalateDispute, { ...ACT, path: `${RECORD}/dispute/escalate` }),
  bind(resolveDispute, { ...ACT, path: `${RECORD}/dispute/resolve` }),
  bind(withdrawDispute, { ...ACT, path: `${RECORD}/dispute/withdraw`, takesEmptyBody: true }),
  bind(listDisputes, { method: 'GET', path: '/v1/disputes' }),
  bind(getDispute, { method: 'GET', path: '/v1/disputes/{disputeId}' }),
];
