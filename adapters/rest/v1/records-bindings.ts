import {
  addReference,
  createRecord,
  createRecordsBulk,
  getCompletion,
  getGateStatus,
  getRecord,
  listRecords,
  readDelegationChain,
  renderVerdict,
  submitCompletion,
} from '../../../application/record/operations.ts';
import { bind, type RestBinding } from '../binding.ts';
import { BulkAnswerSchema, BulkRequestSchema, bulkAnswer } from './bulk-answer.ts';

const RECORD = '/v1/records/{id}';
const NAMES = { id: 'recordId' } as const;
/** On a path of its own, an action that is not allowed now is refused for the state alone. */
const STATE = { INVALID_ACTION: 'UNPROCESSABLE_STATE' } as const;
const ETAG = 'The version of the record; send it as If-Match with what changes it';
const NEW_ETAG = 'The new version of the record';

/** Opening, reading, delivering and judging records. */
export const recordBindings: readonly RestBinding[] = [
  bind(createRecord, {
    method: 'POST',
    path: '/v1/records',
    status: 201,
    location: ({ id }) => `/v1/records/${id}`,
    locationWords: 'Path of the record',
    etag: ETAG,
    problems: STATE,
  }),
  bind(createRecordsBulk, {
    method: 'POST',
    path: '/v1/records/bulk',
    whole: 'items',
    status: 207,
    problems: STATE,
    documentedBody: BulkRequestSchema,
    body: bulkAnswer,
    bodySchema: BulkAnswerSchema,
  }),
  bind(listRecords, { method: 'GET', path: '/v1/records' }),
  bind(getRecord, { method: 'GET', path: RECORD, names: NAMES, etag: ETAG }),
];

export const completionBindings: readonly RestBinding[] = [
  bind(submitCompletion, {
    method: 'POST',
    path: `${RECORD}/completions`,
    names: NAMES,
    status: 201,
    location: ({ recordId, id }) => `/v1/records/${recordId}/completions/${id}`,
    locationWords: 'Path of the completion',
    refresh: RECORD,
    problems: STATE,
  }),
  bind(getCompletion, {
    method: 'GET',
    path: `${RECORD}/completions/{completionId}`,
    names: NAMES,
  }),
  bind(renderVerdict, {
    method: 'POST',
    path: `${RECORD}/verdict`,
    names: NAMES,
    etag: NEW_ETAG,
    refresh: RECORD,
    problems: STATE,
  }),
  bind(getGateStatus, { method: 'GET', path: `${RECORD}/gate-status`, names: NAMES }),
  bind(addReference, {
    method: 'POST',
    path: `${RECORD}/references`,
    names: NAMES,
    status: 201,
    etag: NEW_ETAG,
    refresh: RECORD,
  }),
];

export const treeBindings: readonly RestBinding[] = [
  bind(readDelegationChain, { method: 'GET', path: `${RECORD}/chain`, names: NAMES }),
];
