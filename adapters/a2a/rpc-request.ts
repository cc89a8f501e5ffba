import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { ProtocolError, RPC } from './rpc-error.ts';

/** As many calls as a batch may hold; as many as a bulk. */
export const MAX_BATCH = 100;

const MAX_ID = 1024;

/** One call of JSON-RPC 2.0 (section 4), checked. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: JsonObject;
  /** Left out in a notification, which is not answered. */
  readonly id?: string | number | null;
}

/** Null where the value has none that could be answered under. */
export const idOf = (value: JsonValue): string | number | null => {
  const id = isObject(value) && Object.hasOwn(value, 'id') ? value['id'] : null;
  return (typeof id === 'string' && id.length <= MAX_ID) || typeof id === 'number' ? id : null;
};

/** @throws ProtocolError -32600 where it is no request, -32602 where its params are no object. */
export const rpcRequestOf = (value: JsonValue): RpcRequest => {
  if (!isObject(value)) throw invalid('a request is an object');
  const { jsonrpc, method, params } = value;
  const hasId = Object.hasOwn(value, 'id');
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"');
  if (typeof method !== 'string') throw invalid('method must be a text');
  if (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'))
    throw invalid('this is a response, and nothing was asked of you');
  const id = idOf(value);
  if (hasId && id === null && value['id'] !== null)
    throw invalid(`id must be a text of at most ${MAX_ID} characters, a number or null`);
  if (params !== undefined && !isObject(params))
    throw new ProtocolError(
      RPC.invalidParams,
      'VALIDATION_ERROR',
      'params must be an object, with each parameter by its name.',
    );
  const checked = {
    jsonrpc: '2.0' as const,
    method,
    params: params ?? {},
  };
  return hasId ? { ...checked, id } : checked;
};

/** The calls of a batch. @throws ProtocolError -32600; NotaryError PAYLOAD_TOO_LARGE. */
export const batchOf = (values: readonly JsonValue[]): readonly JsonValue[] => {
  if (values.length === 0) throw invalid('a batch holds at least one request');
  if (values.length > MAX_BATCH)
    throw new NotaryError(
      'PAYLOAD_TOO_LARGE',
      `A batch holds at most ${MAX_BATCH} requests; this one has ${values.length}.`,
      { suggestion: 'Send several batches, or notarize in bulk (operation createRecordsBulk).' },
    );
  return values;
};

const invalid = (why: string): ProtocolError =>
  new ProtocolError(
    RPC.invalidRequest,
    'VALIDATION_ERROR',
    `This is no request of JSON-RPC 2.0: ${why}.`,
    {
      suggestion:
        'Send {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {…}} (https://www.jsonrpc.org/specification).',
    },
  );
