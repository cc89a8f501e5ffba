import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import type { Action } from '../../record/actions.ts';
import { askedFor, type AskedByBody } from './asked-by-body.ts';

/** Where JSON-RPC is served: the path names neither the record nor the action, the body does. */
export const A2A_PATH = '/a2a';

/** What each operation of a data part writes. A transition is named by its input. */
export const A2A_ACTIONS: { readonly [operation: string]: readonly Action[] | 'transition' } = {
  createRecord: ['create', 'delegate'],
  createRecordsBulk: ['create', 'delegate'],
  transitionRecord: 'transition',
  addReference: ['add-reference'],
  submitCompletion: ['submit-completion'],
  renderVerdict: ['render-verdict'],
  openDispute: ['open-dispute'],
  submitDisputeEvidence: ['submit-dispute-evidence'],
  escalateDispute: ['escalate-dispute'],
  resolveDispute: ['resolve-dispute'],
  withdrawDispute: ['withdraw-dispute'],
};

/** The operation that is meant where a data part names the skill alone. */
export const A2A_DEFAULTS: { readonly [skill: string]: string } = {
  notarize: 'createRecord',
  'open-record': 'createRecord',
  'respond-to-proposal': 'transitionRecord',
  'submit-completion': 'submitCompletion',
  'render-verdict': 'renderVerdict',
  dispute: 'openDispute',
};

/**
 * Reads what was co-signed as a request of A2A, 1.0 or 0.3.
 *
 * @param body of JSON-RPC: a request, or a batch of which `item` is meant. Of a bulk that came alone, `item` is the record.
 * @returns null where it asks for nothing that changes a record.
 */
export const readA2aRequest = (body: JsonValue, item: number | undefined): AskedByBody | null => {
  const isBatch = Array.isArray(body);
  const request = isBatch ? (body as readonly JsonValue[])[item ?? -1] : body;
  if (!isObject(request) || !isObject(request['params'])) return null;
  const { method, params } = request as { readonly method: JsonValue; readonly params: JsonObject };
  if (method === 'CancelTask' || method === 'tasks/cancel')
    return item === undefined || isBatch
      ? askedFor(['cancel'], { action: 'cancel', recordId: params['id'] ?? null })
      : null;
  if (!SENDING.has(method)) return null;
  const { message } = params;
  if (!isObject(message)) return null;
  const data = dataOf(message['parts']);
  if (!data) return null;
  const { skill, input, operation = own(A2A_DEFAULTS, skill) } = data;
  const actions = own(A2A_ACTIONS, operation);
  if (!actions || !isObject(input)) return null;
  if (operation === 'createRecordsBulk') {
    const { items } = input;
    const one = !isBatch && Array.isArray(items) ? items[item ?? -1] : undefined;
    return isObject(one) ? askedFor(actions, one) : null;
  }
  if (!isBatch && item !== undefined) return null;
  return askedFor(actions, withRecord(input, message['taskId']));
};

const SENDING: ReadonlySet<JsonValue> = new Set([
  'SendMessage',
  'SendStreamingMessage',
  'message/send',
  'message/stream',
]);

/** The one data part; null where there are none or several. */
const dataOf = (parts: JsonValue | undefined): JsonObject | null => {
  if (!Array.isArray(parts)) return null;
  const data = parts.flatMap((part) =>
    isObject(part) && part['data'] !== undefined ? [part['data']] : [],
  );
  return data.length === 1 && isObject(data[0]) ? data[0] : null;
};

const withRecord = (input: JsonObject, taskId: JsonValue | undefined): JsonObject =>
  input['recordId'] === undefined && typeof taskId === 'string'
    ? { ...input, recordId: taskId }
    : input;

const own = <T>(table: { readonly [name: string]: T }, name: JsonValue | undefined) =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
