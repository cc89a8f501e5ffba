import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Mcp2025Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { McpHost, NOTARY } from '../support/peers/mcp-host.ts';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld, ok, type Body, type World } from '../support/service/world.ts';

const make = ownServices();
let service: ServiceProcess;
let world: World;
const hosts: McpHost[] = [];
beforeEach(async () => {
  service = make();
  const { apiKey } = await service.bootstrap();
  await service.start();
  world = await createWorld(service.url, apiKey);
});
afterEach(async () => {
  for (const one of hosts.splice(0)) {
    one.kill();
    await one.ended;
  }
});
const host = (key: string | null, url = service.url, ...args: string[]): McpHost => {
  const made = new McpHost([...NOTARY, ...args], {
    NOTARY_URL: url,
    ...(key === null ? {} : { NOTARY_API_KEY: key }),
  });
  hosts.push(made);
  return made;
};
const keyOf = (client: { readonly key: string | null }): string => String(client.key);

describe('notary mcp', () => {
  it('gives hosts on this machine the tools of the service: by the clients of 2026 and of 2025', async () => {
    const env = { NOTARY_URL: service.url, NOTARY_API_KEY: keyOf(world.principal.client) };
    const command = { command: process.execPath, args: [...NOTARY], env };
    const today = new McpClient(
      { name: 'host', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await today.connect(new StdioClientTransport(command));
    const past = new Mcp2025Client({ name: 'host', version: '1' });
    await past.connect(new Stdio2025(command));
    for (const client of [today, past] as { callTool(of: Body): Promise<unknown> }[]) {
      const given = { type: 'note', criteria: { n: 1 }, idempotencyKey: 'k' };
      const { structuredContent } = (await client.callTool({
        name: 'notarize',
        arguments: given,
      })) as Body;
      const { body } = await world.principal.client.get(
        `/v1/records/${String(structuredContent.id)}`,
      );
      expect(body).toMatchObject({ status: 'RECORDED', criteria: { n: 1 } });
    }
    expect((await past.listTools()).tools.length).toBeGreaterThan(20);
    await Promise.all([today.close(), past.close()]);
  });

  it('passes on what the host said to the letter, and ends when the host ends', async () => {
    const mine = host(keyOf(world.principal.client));
    await mine.initialize();
    mine.say(
      '{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"notarize","arguments":{"type":"note","criteria":{"n":12345678901234567890}}}}',
    );
    expect((await mine.answer('big'))['error'].message).toContain('not acceptable JSON');
    const wrong = await mine.call(1, 'notarize', { typ: 'note' });
    expect(wrong['result']).toMatchObject({ isError: true });
    mine.say('');
    const { result } = await mine.call(2, 'whoami');
    expect(result.structuredContent.ownerId).toBe(world.principal.id);
    expect(await mine.end()).toBe(0);
    expect(mine.errors).toBe('');
  });

  it('lets a host of 2025 that shows forms ask the person for what a call leaves out', async () => {
    const env = { NOTARY_URL: service.url, NOTARY_API_KEY: keyOf(world.principal.client) };
    const past = new Mcp2025Client(
      { name: 'host', version: '1' },
      { capabilities: { elicitation: {} } },
    );
    const asked: unknown[] = [];
    let answer: Body = { action: 'accept', content: { 'criteria.goal': 'g' } };
    past.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answer;
    });
    await past.connect(new Stdio2025({ command: process.execPath, args: [...NOTARY], env }));
    const call = async (name: string, given: Body): Promise<Body> =>
      await past.callTool({ name, arguments: given });
    const open = { type: 'job', criteria: { threshold: 2 }, idempotencyKey: 'k' };
    const [first, again] = [await call('open_record', open), await call('open_record', open)];
    expect(first['structuredContent'].criteria).toEqual({ goal: 'g', threshold: 2 });
    expect(again['structuredContent'].id).toBe(first['structuredContent'].id);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ message: 'open_record needs criteria.goal.' });
    answer = { action: 'decline' };
    const declined = await call('notarize', { criteria: {} });
    expect(declined['content'][0].text).toContain('/type: is required');
    expect((await call('whoami', {}))['structuredContent'].role).toBe('agent');
    await past.close();
  });

  it('ends where the host ends while it is asked', async () => {
    const mine = host(keyOf(world.principal.client));
    await mine.ask('init', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {} } },
      clientInfo: { name: 'host', version: '1' },
    });
    mine.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'notarize' } });
    expect(await mine.answer('notary-0')).toMatchObject({ method: 'elicitation/create' });
    expect(await mine.end()).toBe(0);
    expect((await mine.answer(1))['result']).toMatchObject({ isError: true });
  });

  it('says in a sentence why it cannot begin', async () => {
    const unknown = keyOf(world.principal.client).replace(/.$/, (last) =>
      last === 'A' ? 'B' : 'A',
    );
    for (const [mine, code, words] of [
      [host(null), 1, 'NOTARY_API_KEY is not set'],
      [host(unknown), 1, 'The key is not taken'],
      [host('k', 'http://example.com'), 1, 'use https'],
      [host('k', service.url, '--wrap'), 2, '--wrap runs a tool server'],
      [host('k', service.url, 'ls'), 2, 'give --wrap'],
      [host('k', service.url, '--on-unavailable', 'drop', '--wrap', 'ls'), 2, 'block, queue'],
    ] as const) {
      expect(await mine.ended, mine.errors).toBe(code);
      expect(mine.errors).toContain(words);
      expect(mine.lines).toEqual([]);
    }
  });

  it('refuses a credential that must co-sign with a sentence, also where that is demanded later', async () => {
    const running = host(keyOf(world.principal.client));
    await running.initialize();
    await ok(
      world.platform.patch(`/v1/admin/orgs/${world.orgId}`, {
        settings: { requireCoSignature: 'body' },
      }),
    );
    const { result } = await running.call(1, 'notarize', { type: 'note', criteria: {} });
    expect(result).toMatchObject({ isError: true });
    expect(result.content.at(-1).text).toContain('nothing can be co-signed');
    const late = host(keyOf(world.principal.client));
    expect(await late.ended).toBe(1);
    expect(late.errors).toContain('must co-sign');
  });

  it('tells the model where the service is away, and goes on when it is back', async () => {
    const mine = host(keyOf(world.principal.client), service.url);
    await mine.initialize();
    await service.stop();
    const { result } = await mine.call(1, 'whoami');
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toContain('the notary does not answer');
    expect((await mine.ask(2, 'tools/list'))['error']).toMatchObject({ code: -32000 });
  });
});
