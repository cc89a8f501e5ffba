import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { InputCheck } from '../../application/call/input-check.port.ts';
import { isObject, type JsonObject } from '../../domain/kernel/canonical-json.ts';
import { BoundTools } from './bound-tools.ts';
import { CallTool } from './call-tool.ts';
import type { McpCall } from './mcp-call.ts';
import { mcpServer, type McpServerParts } from './mcp-server.ts';

export interface McpProtocolParts {
  readonly gateway: CallGateway;
  readonly inputs: InputCheck;
  /** What answers a call; the tools of the notary, unless another one is given. */
  readonly server?: typeof mcpServer;
  readonly version: string;
  readonly note: (call: McpCall, cause: unknown) => void;
}

/** The library that frames the protocol, and the tools behind it. */
export class McpProtocol {
  readonly tools: BoundTools;
  private readonly serverParts: McpServerParts;
  private readonly modern: McpHttpHandler;

  constructor(private readonly parts: McpProtocolParts) {
    const { gateway, inputs, version, note } = parts;
    this.tools = new BoundTools(gateway);
    this.serverParts = { version, callTool: new CallTool(inputs), note };
    this.modern = createMcpHandler(
      ({ authInfo }) => this.serverOf(authInfo?.extra?.['call'] as McpCall),
      { legacy: 'reject' },
    );
  }

  /** @param request the head; the body was read already. */
  async answer(request: Request, value: JsonObject, call: McpCall): Promise<Response> {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { call } };
    const parsedBody = withoutContent(value);
    const options = { parsedBody, authInfo };
    if (!(await isLegacyRequest(request, parsedBody))) return this.modern.fetch(request, options);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = this.serverOf(call);
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, options);
    } finally {
      await server.close();
    }
  }

  private serverOf(call: McpCall): Server {
    const { server = mcpServer } = this.parts;
    return server(call, this.serverParts);
  }
}

/** What the library is to look at. The arguments of a tool are read by the call itself, and may be long. */
const withoutContent = (value: JsonObject): JsonObject => {
  const { method, params } = value;
  if (method !== 'tools/call' || !isObject(params)) return value;
  const { arguments: _arguments, inputResponses: _responses, ...rest } = params;
  return { ...value, params: rest };
};
