import {
  JSONRPCErrorException,
  JSONRPCServer,
  createJSONRPCErrorResponse,
  type JSONRPCErrorResponse,
  type JSONRPCID,
  type JSONRPCResponse,
} from 'json-rpc-2.0';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { A2A_VERSIONS, type A2aVersion } from './spoken-versions.ts';
import type { Methods } from './methods.ts';
import { ProtocolError, RPC, type RpcError } from './rpc-error.ts';
import type { RpcCall } from './rpc-call.ts';
import type { RpcRequest } from './rpc-request.ts';
import { LaterAnswer } from './later-answer.ts';

export interface ServedCall {
  readonly call: RpcCall;
  /** Shows a refusal, and notes it. */
  refuse(cause: unknown): RpcError;
  /** Takes an answer that is sent while it is read. */
  later(answer: LaterAnswer): void;
}

/**
 * The methods of one version, served by json-rpc-2.0. It is given one checked request at a time: of a batch with one
 * answer it would make no list, ids that are objects it would echo, and all members would run at once.
 */
export const rpcServer = (
  version: A2aVersion,
  methods: Methods,
): ((request: RpcRequest, served: ServedCall) => Promise<JSONRPCResponse | null>) => {
  const server = new JSONRPCServer<ServedCall>({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = shownError;
  for (const [name, method] of methods)
    server.addMethod(name, (params: JsonObject, served) =>
      answered(served, async () => {
        const result = await method(served.call, params);
        if (!(result instanceof LaterAnswer)) return result;
        served.later(result);
        return null;
      }),
    );
  return (request, served) =>
    server.hasMethod(request.method)
      ? Promise.resolve(server.receive(request, served))
      : unknownMethod(request, served, version, methods);
};

const answered = async <T>({ refuse }: ServedCall, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    const { code, message, data } = refuse(error);
    throw new JSONRPCErrorException(message, code, data);
  }
};

/** An ordinary error would be answered with its message, which is not for the caller. */
const shownError = (id: JSONRPCID, error: unknown): JSONRPCErrorResponse =>
  error instanceof JSONRPCErrorException
    ? createJSONRPCErrorResponse(id, error.code, error.message, error.data)
    : createJSONRPCErrorResponse(id, RPC.internal, 'The service failed to answer.');

const unknownMethod = async (
  { method, id }: RpcRequest,
  { refuse }: ServedCall,
  version: A2aVersion,
  methods: Methods,
): Promise<JSONRPCResponse | null> => {
  const { code, message, data } = refuse(
    new ProtocolError(
      RPC.methodNotFound,
      'VALIDATION_ERROR',
      `A2A ${version} has no method ${JSON.stringify(method.slice(0, 64))} here.`,
      {
        allowedValues: [...methods.keys()],
        suggestion: `Call one of allowedValues. The header A2A-Version says which version is spoken: ${A2A_VERSIONS.join(' or ')}; without it ${A2A_VERSIONS.at(-1)}.`,
      },
    ),
  );
  return id === undefined ? null : createJSONRPCErrorResponse(id, code, message, data);
};
