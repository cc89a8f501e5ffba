import { describe, expect, it } from 'vitest';
import { ToolCalls } from '../../../adapters/cli/mcp/wrap/tool-calls.ts';
import { sha256Hex } from '../../../domain/kernel/digest.ts';

const AT = '2026-01-01T00:00:00.000Z';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const line = (message: object): Uint8Array => bytes(`${JSON.stringify(message)}\n`);
const calls = (hasContents = false) => {
  let now = 0;
  return new ToolCalls({
    session: 's',
    command: 'c',
    hasContents,
    now: () => (now += 10),
    at: () => AT,
  });
};
const call = (id: unknown, name = 't', params = {}): Uint8Array =>
  line({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...params } });
const answer = (id: unknown, result: object = {}): Uint8Array =>
  line({ jsonrpc: '2.0', id, result });
const facts = ({ noted }: { readonly noted: readonly { readonly fact: object }[] }) =>
  noted.map(({ fact }) => fact);

describe('what a wrapper sees', () => {
  it('is each call and its answer, whatever comes between them and in which order', () => {
    const seen = calls();
    expect(facts(seen.asked(call(1, 'a')))).toMatchObject([{ event: 'call', call: 0, tool: 'a' }]);
    expect(facts(seen.asked(call('1', 'b')))).toMatchObject([{ call: 1, requestId: '"1"' }]);
    expect(facts(seen.asked(line({ id: 7, method: 'ping' })))).toEqual([]);
    expect(seen.answered(answer(7))).toEqual({ noted: [], fault: null, ids: [7] });
    expect(facts(seen.answered(answer('1')))).toMatchObject([{ call: 1, tool: 'b' }]);
    expect(facts(seen.answered(answer(1)))).toMatchObject([{ call: 0, outcome: 'result' }]);
    expect(seen.answered(answer(1)).fault).toContain('not asked');
    expect(seen.unanswered('x')).toEqual([]);
  });

  it('are both calls of an id that is used twice, in their order', () => {
    const seen = calls();
    seen.asked(call(1, 'a'));
    seen.asked(call(1, 'b'));
    expect(facts(seen.answered(answer(1)))).toMatchObject([{ tool: 'a' }]);
    expect(seen.unanswered('gone')).toMatchObject([
      { tool: 'b', outcome: 'unanswered', reason: 'gone' },
    ]);
  });

  it('is no request of the server that has the id of a call', () => {
    const seen = calls();
    seen.asked(call(1));
    expect(seen.answered(line({ id: 1, method: 'elicitation/create', params: {} }))).toMatchObject({
      noted: [],
      fault: null,
    });
    expect(facts(seen.answered(answer(1)))).toHaveLength(1);
  });

  it('is hashed as it went over the wire, and in its canonical form', () => {
    const seen = calls();
    const text =
      '{ "id":1, "jsonrpc":"2.0", "method":"tools/call", "params":{"name":"t","arguments":{"b":1.0,"a":"\\u0041"}}}\r';
    const [fact] = facts(seen.asked(bytes(`${text}\n`))) as [Record<string, unknown>];
    expect(fact['messageSha256']).toBe(sha256Hex(bytes(text)));
    expect(fact['argumentsSha256']).toBe(sha256Hex(bytes('{"a":"A","b":1}')));
    expect(fact).not.toHaveProperty('arguments');
  });

  it('says what the server calls itself, from its first word on', () => {
    const seen = calls();
    seen.asked(line({ id: 0, method: 'initialize' }));
    seen.answered(answer(0, { serverInfo: { name: 'files', version: '1' } }));
    seen.asked(call(1));
    expect(facts(seen.answered(answer(1)))).toMatchObject([{ server: 'files 1' }]);
    const today = calls();
    const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'n', version: '2' } };
    today.asked(line({ id: 0, method: 'initialize' }));
    today.answered(answer(0, { _meta: meta }));
    expect(facts(today.asked(call(1)))).toMatchObject([{ server: 'n 2' }]);
  });

  it('stays what it is where somebody says anything at all', () => {
    const seen = calls(true);
    for (const text of [
      '',
      'null\n',
      '[]\n',
      '[null, 1]\n',
      '{"id":{}}\n',
      '{"result":1}\n',
      '\xff',
    ])
      expect([...facts(seen.asked(bytes(text))), ...facts(seen.answered(bytes(text)))]).toEqual([]);
    const odd = call(1, '\ud800', { arguments: 'text' });
    expect(facts(seen.asked(odd))).toEqual([expect.not.objectContaining({ arguments: 'text' })]);
    expect(facts(seen.asked(line({ id: 2, method: 'tools/call' })))).toMatchObject([{ tool: '' }]);
    expect(facts(seen.answered(line({ id: 1, error: { code: 1, message: 'm' } })))).toMatchObject([
      { outcome: 'error', result: { code: 1, message: 'm' } },
    ]);
  });
});
