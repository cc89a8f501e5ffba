import { setTimeout as sleep } from 'node:timers/promises';
import {
  inputRequired,
  McpServer,
  ResourceTemplate,
  type CallToolResult,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { McpCall } from '../../../adapters/mcp/mcp-call.ts';
import type { Body } from '../service/world.ts';

/**
 * The tools, prompts and resources that scenarios of the conformance suite call by fixed names, on the route of the
 * service: what is tried is the route, and what it makes of a request.
 */
export const fixtureServer = (call: McpCall): Server => {
  const fixed = { listChanged: false };
  const server = new McpServer(
    { name: 'fixture', version: '1' },
    {
      capabilities: {
        logging: {},
        completions: {},
        tools: fixed,
        prompts: fixed,
        resources: fixed,
      },
    },
  );
  addTools(server, call);
  addPrompts(server);
  addResources(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  return server.server;
};

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const text = (said: string) => ({ type: 'text' as const, text: said });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: said },
});

type Ran = CallToolResult | InputRequiredResult;
type Run = (context: ServerContext, params: Body) => Ran | Promise<Ran>;

const TOOLS: { readonly [name: string]: Run } = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }),
  test_embedded_resource: () => ({
    content: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      await sleep(50);
    }
    return { content: [text('done')] };
  },
  test_missing_capability: ({ mcpReq }) =>
    inputRequired({
      inputRequests: {
        sample: inputRequired.createMessage({
          messages: [{ role: 'user', content: text(String(mcpReq.id)) }],
          maxTokens: 10,
        }),
      },
    }),
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'said');
    return { content: [text('done')] };
  },
  test_streaming_elicitation: (_context, params) => asks(params, 'user_name'),
  test_input_required_result_elicitation: (_context, params) => asks(params, 'user_name'),
};

/** What was answered is read where the route leaves it: in the request itself. */
const asks = ({ inputResponses }: Body, key: string): Ran => {
  const name = inputResponses?.[key]?.content?.name as string | undefined;
  if (name !== undefined) return { content: [text(`Hello, ${name}!`)] };
  return inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: 'What is your name?',
        requestedSchema: {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      }),
    },
  });
};

const addTools = (server: McpServer, call: McpCall): void => {
  for (const [name, run] of Object.entries(TOOLS))
    server.registerTool(name, { description: `The tool ${name} of the suite` }, (context) =>
      run(context, call.params),
    );
};

const addPrompts = (server: McpServer): void => {
  const user = 'user' as const;
  const prompt = (name: string, contents: (given: Body) => readonly Body[]): void => {
    const messages = (given: Body) =>
      contents(given).map((content) => ({ role: user, content: content as never }));
    server.registerPrompt(name, { description: `The prompt ${name} of the suite` }, () => ({
      messages: messages({}),
    }));
  };
  prompt('test_simple_prompt', () => [text('This is a simple prompt for testing.')]);
  prompt('test_prompt_with_image', () => [image, text('Please analyze the image above.')]);
};

const addResources = (server: McpServer): void => {
  const read = (uri: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(uri, uri, { description: uri, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  read('test://static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  });
  read('test://static-binary', 'image/png', { blob: PNG });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'A template', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
};
