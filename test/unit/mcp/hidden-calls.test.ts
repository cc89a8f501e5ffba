import { describe, expect, it } from 'vitest';
import { ToolCalls } from '../../../adapters/cli/mcp/wrap/tool-calls.ts';

/** What one side says so that the wrapper finds nothing to seal in it, and the other side does. */
const bytes = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`);
const session = (hasContents = false): ToolCalls =>
  new ToolCalls({ session: 's', command: 'c', hasContents, now: () => 0, at: () => '' });
const CALL = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"x"}}';
const asked = (seen: ToolCalls, id: unknown = 1): void =>
  expect(
    seen.asked(bytes(JSON.stringify({ id, method: 'tools/call', params: { name: 't' } }))).noted,
  ).toHaveLength(1);

describe('a host hides no call', () => {
  it.each([
    ['before a second method', `{"id":1,"method":"tools/call","method":"ping"}`],
    ['in a member that stands twice', '{"id":1,"params":{"a":[{"b":1,"\\u0062":2}]},"method":"x"}'],
    ['behind another name of its method', '{"id":1,"method":"ping","Method":"tools/call"}'],
    ['behind a letter that folds', '{"id":1,"method":"ping","paramſ":{}}'],
    ['behind another name of the tool', CALL.replace('"name":"x"', '"name":"x","Name":"y"')],
    ['behind the end of a line of others', `{"a":\r${CALL}\r}`],
    ['in a call without an id', CALL.replace('"id":9,', '')],
    ['in a call whose id is none', CALL.replace('"id":9', '"id":[9]')],
    ['in a batch in a batch', `[[${CALL}]]`],
    ['behind a byte order mark', `\ufeff${CALL}`],
    ['behind another line', `${CALL} ${CALL}`],
  ])('%s', (_what, line) => {
    const heard = session().asked(bytes(line));
    expect(heard.noted).toEqual([]);
    expect(heard.fault).not.toBeNull();
  });

  it('in bytes that are no UTF-8', () => {
    const line = Buffer.from('{"id":1,"method":"pin\xff"}\n', 'latin1');
    expect(session().asked(line).fault).toContain('UTF-8');
  });

  it('and is answered where it is not passed on', () => {
    const line = bytes('[{"id":1,"method":"a","a":1,"a":2},{"id":"2","method":"b"}]');
    expect(session().asked(line).ids).toEqual([1, '2']);
  });
});

describe('a tool server hides no answer', () => {
  it.each(['"1"', '" 1"', '"0x1"', '1.0'])('under the id %s', (id) => {
    const seen = session();
    asked(seen);
    const { noted, fault } = seen.answered(bytes(`{"id":${id},"result":{}}`));
    expect(fault).toBeNull();
    expect(noted).toMatchObject([{ id: 1, fact: { requestId: '1', outcome: 'result' } }]);
  });

  it.each([
    ['a request in one', '{"id":1,"method":null,"result":{}}'],
    ['an id that stands twice', '{"id":1,"id":2,"result":{}}'],
    ['another name of it', '{"id":1,"Result":{"a":1},"result":{}}'],
    ['what JSON has not', '{"id":1,"result":{"a":NaN}}'],
    ['two texts of one line', '{} {"id":1,"result":{}}'],
    ['an id that is none', '{"id":[1],"result":{}}'],
    ['an id that nobody asked with', '{"id":2,"result":{}}'],
  ])('behind %s', (_what, line) => {
    const seen = session();
    asked(seen);
    const { noted, fault } = seen.answered(bytes(line));
    expect(fault).not.toBeNull();
    // Where it is an answer to the call for this reader, it is told that there was none that counts.
    for (const { fact } of noted)
      expect(fact).toMatchObject({
        outcome: 'unanswered',
        reason: expect.stringContaining('not passed on'),
        messageSha256: expect.any(String),
      });
  });

  it('before the question, nor a second one', () => {
    const seen = session();
    const answer = bytes('{"id":1,"result":{}}');
    expect(seen.answered(answer).fault).toContain('not asked');
    asked(seen);
    expect(seen.answered(answer).fault).toBeNull();
    expect(seen.answered(answer).fault).toContain('answered already');
  });

  it('in a task: the call has no result yet, and what is asked for later is its result', () => {
    const seen = session();
    asked(seen);
    const outcomes = (line: string): unknown[] =>
      seen.answered(bytes(line)).noted.map(({ fact }) => fact['outcome']);
    expect(outcomes('{"id":1,"result":{"task":{"taskId":"k","status":"working"}}}')).toEqual([
      'task',
    ]);
    const ask = (id: number, method: string): void =>
      void seen.asked(bytes(JSON.stringify({ id, method, params: { taskId: 'k' } })));
    ask(2, 'tasks/get');
    expect(outcomes('{"id":2,"result":{"taskId":"k","status":"working"}}')).toEqual([]);
    ask(3, 'tasks/result');
    expect(outcomes('{"id":3,"result":{"content":[],"isError":true}}')).toEqual(['result']);
    ask(4, 'tasks/get');
    expect(outcomes('{"id":4,"result":{"taskId":"k","status":"completed","result":{}}}')).toEqual([
      'result',
    ]);
    expect(seen.unanswered('x')).toEqual([]);
  });
});

describe('what is sealed is what was said', () => {
  it('a value that this reader cannot hold has the hash of its line alone', () => {
    const seen = session(true);
    const line =
      '{"id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":12345678901234567890}}}';
    const [{ fact }] = seen.asked(bytes(line)).noted as unknown as [{ fact: object }];
    expect(fact).toHaveProperty('messageSha256');
    expect(fact).not.toHaveProperty('arguments');
    expect(fact).not.toHaveProperty('argumentsSha256');
  });

  it('names are cut between characters, for half of one is refused by the service', () => {
    const seen = session();
    const long = `${'x'.repeat(254)}😀`;
    const line = JSON.stringify({ id: long, method: 'tools/call', params: { name: `y${long}` } });
    const [{ fact }] = seen.asked(bytes(line)).noted as unknown as [
      { fact: { tool: string; requestId: string } },
    ];
    expect(fact.tool.isWellFormed() && fact.requestId.isWellFormed()).toBe(true);
    seen.asked(bytes('{"id":0,"method":"initialize"}'));
    seen.answered(
      bytes(JSON.stringify({ id: 0, result: { serverInfo: { name: long, version: '1' } } })),
    );
    const next = seen.asked(bytes(line)).noted[0]!.fact as { server: string };
    expect(next.server.isWellFormed()).toBe(true);
  });
});
