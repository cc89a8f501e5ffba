import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { CallTool } from './call-tool.ts';
import { listedTools } from './listed-tools.ts';
import type { McpCall } from './mcp-call.ts';
import { refusedResult, rpcErrorOf } from './refusal.ts';
import { listedResources, listedTemplates, readResource } from './resources.ts';

export interface McpServerParts {
  readonly version: string;
  readonly callTool: CallTool;
  /** Notes a refusal in the log. */
  note(call: McpCall, cause: unknown): void;
}

const INSTRUCTIONS =
  'A notary: what is said here is sealed, signed and provable to third parties, and cannot be taken back. Call list_record_types first, then notarize for what was done, or open_record to ask another agent for work. Each result says which tools come next. Give an idempotencyKey with everything that writes.';

/** The protocol for one request. It knows the call by what was read of it, and takes from the library its words alone. */
export const mcpServer = (call: McpCall, parts: McpServerParts): Server => {
  const { callTool, version, note } = parts;
  const server = new Server(
    { name: 'notary', title: 'Notary', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
      // What is listed depends on the credential.
      cacheHints: {
        'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
        'resources/list': { ttlMs: 60_000, cacheScope: 'private' },
        'resources/templates/list': { ttlMs: 60_000, cacheScope: 'private' },
      },
    },
  );
  const { caller, exchange } = call;
  const refused = (cause: unknown): ProtocolError => {
    note(call, cause);
    const { code, message, data } = rpcErrorOf(cause, exchange);
    return new ProtocolError(code, message, data);
  };
  server.setRequestHandler('tools/list', () => as({ tools: listedTools(caller) }));
  server.setRequestHandler('resources/list', () => as({ resources: listedResources(caller) }));
  server.setRequestHandler('resources/templates/list', () =>
    as({ resourceTemplates: listedTemplates(caller) }),
  );
  server.setRequestHandler('resources/read', async () => {
    try {
      return as(await readResource(call));
    } catch (error) {
      throw refused(error);
    }
  });
  server.setRequestHandler('tools/call', async (_request, context) => {
    const tool = orRefused(refused, () => callTool.toolNamed(call.params));
    try {
      const called = await callTool.call(call, tool, asksForms(context));
      if ('result' in called) return as(called.result);
      const { key, message, requestedSchema } = called.asks;
      return inputRequired({
        inputRequests: {
          [key]: inputRequired.elicit({ message, requestedSchema: as(requestedSchema) }),
        },
      });
    } catch (error) {
      note(call, error);
      return as(refusedResult(error, exchange));
    }
  });
  return server;
};

const orRefused = <T>(refused: (cause: unknown) => Error, act: () => T): T => {
  try {
    return act();
  } catch (error) {
    throw refused(error);
  }
};

/** Whether the client shows forms to a person. One of 2025 says so once and not with each request: it is told in words. */
const asksForms = ({ mcpReq }: ServerContext): boolean => {
  const envelope = mcpReq.envelope as { readonly [key: string]: JsonValue } | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  if (!isObject(elicitation)) return false;
  return 'form' in elicitation || !('url' in elicitation);
};

/** The types of the library say the same shapes in words of its own. */
const as = <T>(value: JsonObject): T => value as T;
