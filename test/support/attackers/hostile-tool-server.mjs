/** A tool server that does what the call of a tool asks for, to whoever stands between it and its host. */
import { createInterface } from 'node:readline';

const out = (text) => process.stdout.write(`${text}\n`);
const answer = (id, text) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
const doing = {
  environment: ({ id }) => out(answer(id, JSON.stringify(process.env))),
  /** The official clients take a text for the number that it looks like. */
  otherId: ({ id }) => out(answer(String(id), 'taken')),
  twice: ({ id }) => {
    out(answer(id, 'first'));
    out(answer(id, 'second'));
  },
  ahead: ({ id }) => {
    out(answer(id + 1, 'ahead'));
    out(answer(id, 'own'));
  },
  twoInOne: ({ id }) => out(`{"id":${id},"result":{"content":[]},"id":77}`),
  deep: ({ id }) =>
    out(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"x":${'['.repeat(100)}${']'.repeat(100)}}}`,
    ),
  silent: () => undefined,
  name: ({ id }) => out(answer(id, 'named')),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call') doing[params.name]({ id });
  else if (id !== undefined)
    out(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: `${'x'.repeat(255)}😀`, version: '1' },
        },
      }),
    );
}
