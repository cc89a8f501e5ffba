import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wrapType } from '../../adapters/cli/mcp/wrap/wrap-type.ts';
import { McpHost, NOTARY } from '../support/peers/mcp-host.ts';
import { ownServices } from '../support/service/own-services.ts';
import { freePort } from '../support/service/free-port.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type Body, type World } from '../support/service/world.ts';

const make = ownServices();
const FILESYSTEM = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
const TOOL_SERVER = 'test/support/peers/tool-server.mjs';
let port: string;
let service: ServiceProcess;
let world: World;
let folder: string;
const hosts: McpHost[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notary-wrap-'));
  port = String(await freePort());
  service = make({ PORT: port });
  const { apiKey } = await service.bootstrap();
  await service.start();
  world = await createWorld(service.url, apiKey);
  await ok(world.admin.post('/v1/schemas', wrapType('mcp.tool-call')));
});
afterEach(async () => {
  for (const one of hosts.splice(0)) {
    one.kill();
    await one.ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

const queue = (): string => join(folder, 'queue');
const wrap = (options: readonly string[], ...tool: readonly string[]): McpHost => {
  const made = new McpHost(
    [...NOTARY, '--queue', queue(), ...options, '--wrap', process.execPath, ...tool],
    { NOTARY_URL: service.url, NOTARY_API_KEY: String(world.principal.client.key) },
  );
  hosts.push(made);
  return made;
};
const facts = async (): Promise<Body[]> => {
  const { data } = await ok(
    world.principal.client.get('/v1/records?type=mcp.tool-call&sort=createdAt&limit=200'),
  );
  return (data as Body[]).map(({ criteria }) => criteria as Body);
};
const sealed = (count: number): Promise<Body[]> =>
  expect
    .poll(async () => (await facts()).length)
    .toBe(count)
    .then(facts);
const queued = (): string[] =>
  readdirSync(queue(), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('notary mcp --wrap', () => {
  it('seals what an agent did with the tools of a public server, which knows nothing of it', async () => {
    const file = join(folder, 'file.txt');
    writeFileSync(file, 'what it says');
    const mine = wrap([], FILESYSTEM, folder);
    await mine.initialize();
    expect((await mine.ask('l', 'tools/list'))['result'].tools.length).toBeGreaterThan(10);
    const read = await mine.call(1, 'read_text_file', { path: file });
    expect(read['result'].content[0].text).toBe('what it says');
    const wrote = await mine.call('1', 'write_file', { path: `${file}2`, content: 'new' });
    expect(wrote['result'].isError).toBeFalsy();
    expect(readFileSync(`${file}2`, 'utf8')).toBe('new');
    const outside = await mine.call(2, 'read_text_file', { path: '/etc/hostname' });
    expect(outside['result'].isError).toBe(true);
    expect(await mine.end()).toBe(0);
    const told = await facts();
    expect(told.map(({ event, call, tool, outcome }) => [event, call, tool, outcome])).toEqual([
      ['call', 0, 'read_text_file', undefined],
      ['result', 0, 'read_text_file', 'result'],
      ['call', 1, 'write_file', undefined],
      ['result', 1, 'write_file', 'result'],
      ['call', 2, 'read_text_file', undefined],
      ['result', 2, 'read_text_file', 'result'],
    ]);
    expect(told[5]).toMatchObject({
      isError: true,
      requestId: '2',
      command: 'node',
      server: expect.stringMatching(/^secure-filesystem-server /),
    });
    expect(JSON.stringify(told)).not.toContain(folder);
    expect(told[2]).toMatchObject({ requestId: '"1"' });
    expect(told[0]!['argumentsSha256']).toBe(hex(JSON.stringify({ path: file })));
    const line = mine.lines.find((one) => one.includes('what it says'))!;
    expect(told[1]!['messageSha256']).toBe(hex(line.slice(0, -1)));
    expect(JSON.stringify(told)).not.toContain('what it says');
    expect(queued()).toEqual([]);
  });

  it('passes bytes on as they are, junk among them, and seals contents where they are asked for', async () => {
    const mine = wrap(['--contents'], TOOL_SERVER, 'junk');
    const answer = await mine.call(1, 'a', { x: ['ü'] });
    expect(answer['result'].content[0].text).toBe('A');
    expect(mine.lines.join('')).toBe(
      'no JSON at all\n\n{"half": \n{ "id":1,  "jsonrpc":"2.0", "result":{"content":[{"type":"text","text":"\\u0041"}]}}\r\n',
    );
    expect(await mine.end()).toBe(0);
    expect(await facts()).toMatchObject([
      { event: 'call', arguments: { x: ['ü'] } },
      { event: 'result', result: { content: [{ type: 'text', text: 'A' }] } },
    ]);
  });

  it('passes on no line of the host in which another reader may find a call', async () => {
    const mine = wrap([], TOOL_SERVER, 'echo');
    const hidden = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"x"}}';
    mine.say(`{"a":\r${hidden}\r}`);
    mine.say(`x ${hidden}`);
    expect((await mine.call(1, 'a'))['result']).toBeDefined();
    expect(await mine.end()).toBe(0);
    expect(mine.errors.match(/not passed on/g)).toHaveLength(2);
    expect(await facts()).toHaveLength(2);
  });

  it('seals what is too long for a record by its hash alone', async () => {
    const mine = wrap(['--contents'], TOOL_SERVER, 'echo');
    const long = { text: 'x'.repeat(300_000), odd: '\ud800' };
    expect((await mine.call(1, 'a', { text: long.text }))['result']).toBeDefined();
    expect((await mine.call(2, 'b', { odd: long.odd }))['result']).toBeDefined();
    expect(await mine.end()).toBe(0);
    const told = await facts();
    expect(told).toHaveLength(4);
    for (const fact of told) expect(fact).not.toHaveProperty('arguments');
    expect(told[0]!['argumentsSha256']).toBe(hex(JSON.stringify({ text: long.text })));
    expect(told[2]).not.toHaveProperty('argumentsSha256');
    expect(told[2]!['messageSha256']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('uses no queue into which others may write', async () => {
    mkdirSync(queue());
    chmodSync(queue(), 0o777);
    const mine = wrap([], TOOL_SERVER, 'echo');
    expect(await mine.ended).toBe(1);
    expect(mine.errors).toContain('others may write into it');
  });

  it('takes a question back for no result', async () => {
    const mine = wrap([], TOOL_SERVER, 'ask');
    expect((await mine.call(1, 'a'))['result'].resultType).toBe('input_required');
    const again = await mine.ask(2, 'tools/call', { name: 'a', inputResponses: { k: {} } });
    expect(again['result'].content[0].text).toBe('done');
    await mine.end();
    expect((await facts()).map(({ call, outcome }) => [call, outcome])).toEqual([
      [0, undefined],
      [0, 'input-required'],
      [1, undefined],
      [1, 'result'],
    ]);
  });

  it('seals the error of a protocol, and each call of a batch', async () => {
    const mine = wrap([], TOOL_SERVER, 'refuse');
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 't' },
    });
    mine.say([call(1), call(2)] as never);
    await mine.answer(2);
    await mine.end();
    const outcomes = (await facts()).map(({ event, call: n, outcome }) => [event, n, outcome]);
    expect(outcomes).toHaveLength(4);
    expect(outcomes).toContainEqual(['result', 0, 'error']);
    expect(outcomes).toContainEqual(['result', 1, 'error']);
  });

  it('seals a call as unanswered whose tool server died, hung or flooded, and says so', async () => {
    const crashed = wrap([], TOOL_SERVER, 'crash');
    crashed.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } });
    expect(await crashed.ended).toBe(7);
    expect(crashed.errors).toContain('ended with 7; 1 calls are sealed as unanswered');

    const hung = wrap([], TOOL_SERVER, 'hang');
    hung.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'b' } });
    hung.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await sealed(3);
    hung.kill('SIGTERM');
    expect(await hung.ended).toBe(143);

    const flooding = wrap([], TOOL_SERVER, 'flood');
    flooding.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'c' } });
    expect(await flooding.ended).toBe(1);
    expect(flooding.errors).toContain('a line of more than');
    const ends = (await facts()).filter(({ event }) => event === 'result');
    expect(ends).toMatchObject([
      { tool: 'a', outcome: 'unanswered', reason: expect.stringContaining('ended with 7') },
      { tool: 'b', outcome: 'unanswered', wasCancelled: true },
      { tool: 'c', outcome: 'unanswered', reason: expect.stringContaining('more than') },
    ]);
  });

  it('holds a call while the service is away, and makes none that it cannot seal', async () => {
    const mine = wrap(['--block-seconds', '8'], TOOL_SERVER, 'echo');
    await mine.call(0, 'before');
    await service.stop();
    const refused = await mine.call(1, 'away');
    expect(refused['error'].message).toMatch(/^The call was not made, because the notary/);
    await service.start();
    const after = await mine.call(2, 'after', { n: 1 });
    expect(after['result'].content[0].text).toBe('{"n":1}');
    expect(await mine.end()).toBe(0);
    // What somebody waits for is not behind what nobody waits for; of one call the order stays.
    const told = (await facts()).toSorted((a, b) => Number(a['call']) - Number(b['call']));
    expect(told.map(({ tool, event, outcome }) => [tool, event, outcome])).toEqual([
      ['before', 'call', undefined],
      ['before', 'result', 'result'],
      ['away', 'call', undefined],
      ['away', 'result', 'not-forwarded'],
      ['after', 'call', undefined],
      ['after', 'result', 'result'],
    ]);
  });

  it('notes facts on the disk while the service is away, for their owner alone, and drops none', async () => {
    const mine = wrap(['--on-unavailable', 'queue', '--contents'], TOOL_SERVER, 'echo');
    await mine.call(0, 'before');
    await sealed(2);
    await service.stop();
    for (let n = 1; n <= 5; n++) await mine.call(n, 'away', { n });
    expect(queued()).toHaveLength(10);
    for (const name of queued()) {
      const { mode } = statSync(join(queue(), name));
      expect(mode & 0o777).toBe(0o600);
    }
    expect(statSync(queue()).mode & 0o777).toBe(0o700);
    // Killed, so that nothing is put in order: the next run takes over what is left.
    mine.kill('SIGKILL');
    await mine.ended;
    expect(queued()).toHaveLength(10);
    await service.start();
    const next = wrap(['--on-unavailable', 'queue'], TOOL_SERVER, 'echo');
    await next.initialize();
    const told = await sealed(12);
    expect(
      told.filter(({ tool }) => tool === 'away').map(({ call, event }) => [call, event]),
    ).toEqual(
      [1, 2, 3, 4, 5].flatMap((n) => [
        [n, 'call'],
        [n, 'result'],
      ]),
    );
    expect(await next.end()).toBe(0);
    expect(queued()).toEqual([]);
  });

  it('sends what waits under the next key of the same agent, after a rotation', async () => {
    const { client } = world.principal;
    const mine = wrap(['--on-unavailable', 'queue'], TOOL_SERVER, 'echo');
    await mine.call(0, 'before');
    await sealed(2);
    await service.stop();
    await mine.call(1, 'away');
    mine.kill('SIGKILL');
    await mine.ended;
    expect(queued()).toHaveLength(2);
    await service.start();
    const { apiKey } = await ok(client.post('/v1/auth/keys/rotate', {}));
    const next = new McpHost(
      [...NOTARY, '--queue', queue(), '--wrap', process.execPath, TOOL_SERVER, 'echo'],
      { NOTARY_URL: service.url, NOTARY_API_KEY: String(apiKey) },
    );
    hosts.push(next);
    await next.initialize();
    await expect.poll(queued).toEqual([]);
    expect(await next.end()).toBe(0);
    expect(next.errors).toBe('');
    const answer = await fetch(`${service.url}/v1/records?type=mcp.tool-call`, {
      headers: { authorization: `Bearer ${String(apiKey)}` },
    });
    expect(((await answer.json()) as Body)['data']).toHaveLength(4);
  });

  it('passes on what a tool server asks of its host, and seals many calls at the same time', async () => {
    const asking = wrap([], TOOL_SERVER, 'sample');
    asking.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } });
    await expect.poll(() => asking.lines.join('')).toContain('sampling/createMessage');
    const content = { type: 'text', text: 'said by the model' };
    asking.say({ jsonrpc: '2.0', id: 1, result: { role: 'assistant', content } });
    await expect
      .poll(() => asking.lines.join(''))
      .toContain('"result":{"content":[{"type":"text","text":"said by the model"}]}');
    expect(await asking.end()).toBe(0);

    const mine = wrap([], TOOL_SERVER, 'echo');
    for (let n = 0; n < 90; n++)
      mine.say({ jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: 'b' } });
    for (let n = 0; n < 90; n++) expect((await mine.answer(n))['result']).toBeDefined();
    expect(await mine.end()).toBe(0);
    const told = (await facts()).filter(({ tool }) => tool === 'b');
    expect(told).toHaveLength(180);
    for (let n = 0; n < 90; n++)
      expect(told.filter(({ call }) => call === n).map(({ event }) => event)).toEqual([
        'call',
        'result',
      ]);
  });

  it('keeps what the service refuses for good, and says where', async () => {
    const strict = wrapType('strict.calls');
    const { tool: _, ...rest } = strict.criteriaSchema.properties;
    await ok(
      world.admin.post('/v1/schemas', {
        ...strict,
        criteriaSchema: { ...strict.criteriaSchema, properties: { ...rest, tool: { const: 'a' } } },
      }),
    );
    const mine = wrap(['--type', 'strict.calls'], TOOL_SERVER, 'echo');
    expect((await mine.call(1, 'a'))['result']).toBeDefined();
    expect((await mine.call(2, 'b'))['error'].message).toContain(
      'the notary refuses a fact for good',
    );
    // The tool server ended well; whoever runs it learns all the same that something is not sealed.
    expect(await mine.end()).toBe(3);
    expect(mine.errors).toContain('refuses a fact for good');
    expect(queued().every((name) => name.includes('/refused/'))).toBe(true);
    expect(queued()).toHaveLength(2);
  });

  it('begins with no type, no command and no key in a sentence', async () => {
    const none = wrap(['--type', 'nothing.registered'], TOOL_SERVER, 'echo');
    expect(await none.ended).toBe(1);
    expect(none.errors).toContain('There is no record type nothing.registered');
    const made = new McpHost([...NOTARY, '--queue', queue(), '--wrap', '/no/such/command'], {
      NOTARY_URL: service.url,
      NOTARY_API_KEY: String(world.principal.client.key),
    });
    hosts.push(made);
    expect(await made.ended).toBe(1);
    expect(made.errors).toContain('/no/such/command cannot be started');
    const { stdout } = await service.run('mcp', '--print-type');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(wrapType('mcp.tool-call'))));
  });
});
