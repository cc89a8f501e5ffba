import type { Admission } from '../../application/call/call.port.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import { StrictJsonError, TooManyValuesError } from '../../domain/kernel/strict-json.ts';
import { bodyRefusal } from './json-body.ts';

/**
 * The body of a JSON-RPC request.
 *
 * @param parseError what JSON-RPC calls a text that is no JSON (its section 5.1).
 * @throws what parseError makes; NotaryError where the text holds too much.
 */
export const readRpcBody = async (
  json: JsonReader,
  body: Uint8Array,
  { call, caller }: Admission,
  parseError: (refusal: NotaryError, cause: unknown) => Error,
): Promise<JsonValue> => {
  try {
    return await json.read(body, caller?.orgId ?? call.address);
  } catch (error) {
    const refusal = bodyRefusal(error);
    if (!(error instanceof StrictJsonError) || error instanceof TooManyValuesError) throw refusal;
    throw parseError(refusal as NotaryError, error);
  }
};
