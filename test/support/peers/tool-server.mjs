/** A tool server that does what its argument says, when a tool is called. Byte for byte as it stands here. */
import { createInterface } from 'node:readline';

const [behaviour] = process.argv.slice(2);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const answerTo = {
  crash: () => process.exit(7),
  hang: () => undefined,
  flood: () => process.stdout.write('x'.repeat(40 * 1024 * 1024)),
  junk: ({ id }) => {
    process.stdout.write('no JSON at all\n\n{"half": \n');
    // Spaces, an order and an escape that no library would write.
    process.stdout.write(
      `{ "id":${JSON.stringify(id)},  "jsonrpc":"2.0", "result":{"content":[{"type":"text","text":"\\u0041"}]}}\r\n`,
    );
  },
  ask: ({ id, params }) =>
    say({
      jsonrpc: '2.0',
      id,
      result: params.inputResponses
        ? { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
        : { resultType: 'input_required', inputRequests: { k: { method: 'elicitation/create' } } },
    }),
  refuse: ({ id }) => say({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such tool' } }),
  // Under the id of the call itself: what a server asks has ids of its own.
  sample: ({ id }) =>
    say({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: { maxTokens: 1 } }),
  echo: ({ id, params }) =>
    say({
      jsonrpc: '2.0',
      id,
      result: {
        content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
        isError: false,
      },
    }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  for (const one of Array.isArray(message) ? message : [message])
    if (one.method === 'tools/call') answerTo[behaviour](one);
    else if (one.result?.role)
      say({ jsonrpc: '2.0', id: one.id, result: { content: [one.result.content] } });
    else if (one.id !== undefined) say({ jsonrpc: '2.0', id: one.id, result: {} });
}
