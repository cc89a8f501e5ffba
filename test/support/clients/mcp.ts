import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Mcp2025Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Answer, Body, Client } from '../service/world.ts';

const VERSION = '2026-07-28';

/** A request of MCP 2026-07-28, as it goes over the wire. */
export const mcpRequest = (method: string, params: Body, capabilities: Body = {}): Body => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
  },
});

/** Headers that repeat what the body says. */
export const mcpHeaders = ({ method, params }: Body): Record<string, string> => {
  const name = (params as Body)['name'] ?? (params as Body)['uri'];
  return {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': String(method),
    ...(name === undefined ? {} : { 'mcp-name': String(name) }),
  };
};

/** One request, without a library. */
export const mcp = (
  client: Client,
  method: string,
  params: Body,
  capabilities?: Body,
): Promise<Answer<Body>> => {
  const request = mcpRequest(method, params, capabilities);
  return client.post('/mcp', request, mcpHeaders(request));
};

/** One call of a tool; its result. */
export const callTool = async (client: Client, name: string, given: Body): Promise<Body> => {
  const { body } = await mcp(client, 'tools/call', { name, arguments: given });
  if (!body['result']) throw new Error(JSON.stringify(body));
  return body['result'] as Body;
};

const withKey = ({ key }: Client): RequestInit =>
  key === null ? {} : { headers: { authorization: `Bearer ${key}` } };

/** The official client of today, unchanged. */
export const mcpClient = async (
  client: Client,
  options: ConstructorParameters<typeof McpClient>[1] = {},
): Promise<McpClient> => {
  const made = new McpClient({ name: 'test', version: '1' }, options);
  const url = new URL('/mcp', client.url);
  await made.connect(new StreamableHTTPClientTransport(url, { requestInit: withKey(client) }));
  return made;
};

/** The official client of 2025, unchanged. */
export const mcp2025Client = async (client: Client): Promise<Mcp2025Client> => {
  const made = new Mcp2025Client({ name: 'test', version: '1' });
  const url = new URL('/mcp', client.url);
  await made.connect(new Transport2025(url, { requestInit: withKey(client) }));
  return made;
};
