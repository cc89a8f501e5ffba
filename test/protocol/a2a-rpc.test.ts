import { describe, expect, it } from 'vitest';
import { skillFor, SKILLS } from '../../adapters/a2a/skills.ts';
import { TASK_STATES, STATE_OF } from '../../adapters/a2a/task.ts';
import { ACTION_OPERATIONS } from '../../application/record/guidance-view.ts';
import { TOKENS } from '../../config/tokens.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';
import { rpc } from '../support/stories/a2a-stories.ts';
import { useApi } from '../support/service/api.ts';
import { longestGap, send } from '../support/service/event-loop-gap.ts';
import {
  type Client,
  createWorld,
  mintKey,
  ok,
  openJob,
  type Answer,
  type Body,
} from '../support/service/world.ts';

const api = useApi();
const limited = useApi({ RATE_LIMIT_AGENT: '6', RATE_LIMIT_RECORDS_CREATE: '2' });
const VERSION = { 'a2a-version': '1.0' };
const principal = (): Client => api.world.principal.client;
const post = (body: unknown, headers: object = VERSION, client = principal()) =>
  client.post('/a2a', body, headers as Record<string, string>);
const call = (method: string, params: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const note = (messageId: string, more: Body = {}) => ({
  message: {
    messageId,
    role: 'ROLE_USER',
    parts: [{ data: { skill: 'notarize', input: { type: 'note', criteria: { n: 1 } }, ...more } }],
  },
});
const codeOf = async (answer: Promise<Answer<Body>>): Promise<number> => {
  const { body } = await answer;
  expect(body['jsonrpc']).toBe('2.0');
  return body['error']?.code as number;
};
const countNotes = async (): Promise<number> =>
  (await ok(api.world.admin.get('/v1/records?type=note&limit=1')))['total'] as number;

describe('a request of JSON-RPC', () => {
  it.each([
    ['no JSON', '{"jsonrpc":', -32700],
    ['nothing', '', -32700],
    ['a member twice', '{"jsonrpc":"2.0","jsonrpc":"2.0"}', -32700],
    ['nested too deep', `${'['.repeat(500)}${']'.repeat(500)}`, -32700],
    ['a number', '1', -32600],
    ['null', 'null', -32600],
    ['an empty batch', '[]', -32600],
    ['another version', { ...call('GetTask', {}), jsonrpc: '1.0' }, -32600],
    ['a method that is no text', { ...call('GetTask', {}), method: 7 }, -32600],
    ['an id that is an object', call('GetTask', {}, { a: 1 }), -32600],
    ['an id that is a truth', call('GetTask', {}, true), -32600],
    ['an id without end', call('GetTask', {}, 'x'.repeat(2000)), -32600],
    ['params that are a text', call('GetTask', 'x'), -32602],
    ['params by position', call('GetTask', ['x']), -32602],
    ['params that are null', call('GetTask', null), -32602],
    [
      'a message without a role',
      call('SendMessage', { message: { ...note('m').message, role: undefined } }),
      -32602,
    ],
    [
      'a message of an unknown role',
      call('SendMessage', { message: { ...note('m').message, role: 'ROLE_SYSTEM' } }),
      -32602,
    ],
    [
      'a negative length of a history',
      call('SendMessage', { ...note('m'), configuration: { historyLength: -1 } }),
      -32602,
    ],
    ['a negative length in GetTask', call('GetTask', { id: 'x', historyLength: -1 }), -32602],
    [
      'a negative size of a page of push configurations',
      call('ListTaskPushNotificationConfigs', { taskId: 'x', pageSize: -1 }),
      -32602,
    ],
    ['a negative length in ListTasks', call('ListTasks', { historyLength: -1 }), -32602],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600],
    ['an unknown method', call('Nope', {}), -32601],
    ['a method of every object', call('__proto__', {}), -32601],
    ['a method of 0.3', call('message/send', {}), -32601],
    ['params of wrong types', call('GetTask', { id: 7 }), -32602],
    ['no params', { jsonrpc: '2.0', id: 1, method: 'SendMessage' }, -32602],
    [
      'a message without parts',
      call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER' } }),
      -32602,
    ],
    [
      'a message without an id',
      call('SendMessage', { message: { parts: [{ text: 'x' }] } }),
      -32602,
    ],
    [
      'parts of wrong types',
      call('SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [7] } }),
      -32602,
    ],
    ['an unknown skill', call('SendMessage', note('m', { skill: 'notarise' })), -32602],
    ['a skill of every object', call('SendMessage', note('m', { skill: 'constructor' })), -32602],
    [
      'an operation of another skill',
      call('SendMessage', note('m', { operation: 'getRecord' })),
      -32602,
    ],
    ['an unknown member of a data part', call('SendMessage', note('m', { inputs: {} })), -32602],
    ['an input that is a list', call('SendMessage', note('m', { input: [] })), -32602],
    [
      'a file',
      call('SendMessage', { message: { ...note('m').message, parts: [{ raw: 'AA==' }] } }),
      -32005,
    ],
    [
      'two data parts',
      call('SendMessage', {
        message: { ...note('m').message, parts: [{ data: {} }, { data: {} }] },
      }),
      -32602,
    ],
    [
      'modes that are not sent',
      call('SendMessage', { ...note('m'), configuration: { acceptedOutputModes: ['image/png'] } }),
      -32005,
    ],
    [
      'a context of its own',
      call('SendMessage', { message: { ...note('m').message, contextId: 'mine' } }),
      -32602,
    ],
    ['a state that is none', call('ListTasks', { status: 'TASK_STATE_NEAR' }), -32602],
    ['a cursor that is none', call('ListTasks', { pageToken: 'x' }), -32602],
    [
      'with a push configuration that has no url',
      call('SendMessage', { ...note('m'), configuration: { taskPushNotificationConfig: {} } }),
      -32602,
    ],
    ['for a push configuration of no task', call('CreateTaskPushNotificationConfig', {}), -32602],
    ['an unknown task', call('CancelTask', { id: 'x' }), -32001],
  ])('that is %s has its own code, and is no fault', async (_, body, code) => {
    expect(await codeOf(post(body))).toBe(code);
  });

  it('is refused with ErrorInfo first and the problem document second', async () => {
    const { body } = await post(call('GetTask', { id: crypto.randomUUID() }, 'mine'));
    expect(body).toMatchObject({
      id: 'mine',
      error: {
        code: -32001,
        message: 'There is no such record.',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
          },
          { '@type': 'urn:ietf:rfc:9457', status: 404, code: 'NOT_FOUND', instance: '/a2a' },
        ],
      },
    });
  });

  it.each([
    ['1.0', -32001],
    ['1.0.1', -32001],
    [' 1.0 ', -32001],
    ['0.3', -32601],
    ['', -32601],
    ['2.0', -32009],
    ['1.1', -32009],
    ['one', -32009],
  ])('in A2A-Version %j is judged by that version', async (version, code) => {
    const asked = call('GetTask', { id: 'x' });
    expect(await codeOf(post(asked, { 'a2a-version': version }))).toBe(code);
    expect(
      await codeOf(principal().post(`/a2a?A2A-Version=${encodeURIComponent(version)}`, asked)),
    ).toBe(code);
  });

  it('without a version speaks 0.3', async () => {
    expect(await codeOf(post(call('tasks/get', { id: 'x' }), {}))).toBe(-32001);
  });

  it('is refused by HTTP, in the form of JSON-RPC, before it is read', async () => {
    const anonymous = await api.world.anonymous.post('/a2a', call('GetTask', {}), VERSION);
    expect(anonymous).toMatchObject({
      status: 401,
      body: { jsonrpc: '2.0', id: null, error: { code: -32000 } },
    });
    expect(anonymous.headers.get('www-authenticate')).toContain('Bearer');
    expect(await post('x', { ...VERSION, 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
      body: { error: { code: -32005 } },
    });
    expect(await post(' '.repeat(1024 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { error: { code: -32600, data: [{}, { code: 'PAYLOAD_TOO_LARGE' }] } },
    });
    expect((await principal().get('/a2a')).status).toBe(405);
  });

  it('that is a notification acts and is not answered', async () => {
    const before = await countNotes();
    const { status, body } = await post({
      jsonrpc: '2.0',
      method: 'SendMessage',
      params: note('n1'),
    });
    expect([status, body]).toEqual([202, {}]);
    expect(await countNotes()).toBe(before + 1);
    expect((await post({ jsonrpc: '2.0', method: 'Nope' })).status).toBe(202);
  });
});

describe('a batch', () => {
  it('is answered as a list, by ids, without its notifications', async () => {
    const { body } = await post([
      call('SendMessage', note('b1'), 'a'),
      { jsonrpc: '2.0', method: 'SendMessage', params: note('b2') },
      7,
      call('Nope', {}, 2),
    ]);
    expect(body).toMatchObject([
      { id: 'a', result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } } },
      { id: null, error: { code: -32600 } },
      { id: 2, error: { code: -32601 } },
    ]);
    expect(await post([call('Nope', {}, 3)])).toMatchObject({ body: [{ id: 3 }] });
  });

  it('is carried out one after the other, so that it may hold the steps of one record', async () => {
    const { id } = await openJob(api.world, { autoActivate: false });
    const step = (action: string) => ({
      message: {
        messageId: crypto.randomUUID(),
        role: 'ROLE_USER',
        taskId: id,
        parts: [{ data: { skill: 'respond-to-proposal', input: { action } } }],
      },
    });
    const { body } = await post(
      [call('SendMessage', step('accept')), call('CancelTask', { id }, 2)],
      VERSION,
      api.world.performer.client,
    );
    expect(body).toMatchObject([
      { result: { task: { status: { state: 'TASK_STATE_WORKING' } } } },
      { id: 2, result: { status: { state: 'TASK_STATE_CANCELED' } } },
    ]);
  });

  it('holds at most 100 requests, and no exports', async () => {
    const many = Array.from({ length: 101 }, (_, id) => call('Nope', {}, id));
    expect(await codeOf(post(many))).toBe(-32600);
    const { id } = await openJob(api.world);
    const skill = { skill: 'verify', input: { recordId: id } };
    const exported = call('SendMessage', note('v', skill));
    expect(await post([exported])).toMatchObject({ body: [{ error: { code: -32004 } }] });
  });
});

describe('the limits', () => {
  it('count each member of a batch, and each creation in its own window', async () => {
    const { client } = limited.world.principal;
    const notes = [1, 2, 3].map((n) => call('SendMessage', note(`l${n}`), n));
    const first = await post(notes, VERSION, client);
    expect(first.headers.get('ratelimit-policy')).toContain('"key";q=6');
    expect(first.body).toMatchObject([
      { result: {} },
      { result: {} },
      {
        error: {
          code: -32000,
          data: [{ reason: 'RATE_LIMITED', metadata: { retryAfter: expect.any(String) } }, {}],
        },
      },
    ]);
    const asks = [1, 2, 3, 4].map((n) => call('ListTasks', {}, n));
    const second = await post(asks, VERSION, client);
    expect((second.body as Body[]).map(({ error }) => error?.data[1].status)).toEqual([
      undefined,
      undefined,
      undefined,
      429,
    ]);
    const third = await post(call('ListTasks', {}), VERSION, client);
    expect(third).toMatchObject({ status: 429, body: { id: null, error: { code: -32000 } } });
    expect(third.headers.get('retry-after')).not.toBeNull();
  });
});

describe('a message', () => {
  it('acts once under its id, also where REST brings it again', async () => {
    const before = await countNotes();
    const first = await rpc(principal(), 'SendMessage', note('once'));
    const again = await rpc(principal(), 'SendMessage', note('once'));
    expect(again['result'].task.id).toBe(first['result'].task.id);
    expect(again['result'].task.metadata).toMatchObject({ idempotencyReplayed: true });
    const rest = await principal().post(
      '/v1/records',
      { type: 'note', criteria: { n: 1 } },
      { 'idempotency-key': 'once' },
    );
    expect(rest.body['id']).toBe(first['result'].task.id);
    expect(await countNotes()).toBe(before + 1);
  });

  it('says in words and as data which fields of the record type are missing', async () => {
    const { result } = await rpc(principal(), 'SendMessage', {
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        metadata: { type: 'job' },
        parts: [{ text: 'Open a job' }, { data: { skill: 'open-record' } }],
      },
    });
    const [words, { data }] = result.task.status.message.parts as [Body, Body];
    expect(result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(data.missing.map(({ path }: Body) => path)).toEqual([
      '/input/criteria',
      '/input/criteria/goal',
    ]);
    expect(words['text']).toContain('/input/criteria/goal');
  });

  it('is held to the version that it expects', async () => {
    const { id } = await openJob(api.world, { autoActivate: false });
    const data = {
      skill: 'open-record',
      operation: 'transitionRecord',
      input: { recordId: id, action: 'cancel' },
      expectedVersions: [7],
    };
    const answer = await rpc(principal(), 'SendMessage', note('old', data));
    expect(answer['error'].data[1]).toMatchObject({ status: 412 });
  });

  it('exports a chain whole, which is sent while it is read', async () => {
    const { id } = await openJob(api.world);
    const answer = await rpc(
      principal(),
      'SendMessage',
      note('x', { skill: 'verify', input: { recordId: id } }),
    );
    const rest = await ok(principal().get(`/v1/records/${String(id)}/audit-export`));
    const { data } = answer['result'].message.parts[0] as Body;
    expect(data.chain).toEqual(rest['chain']);
    const old = await rpc(
      principal(),
      'message/send',
      note('y', { skill: 'verify', input: { recordId: id } }),
      {},
    );
    expect(old['result']).toMatchObject({ kind: 'message', role: 'agent' });
    expect(old['result'].parts[0]).toMatchObject({ kind: 'data', data: { chain: rest['chain'] } });
  });
});

describe('tasks of others', () => {
  it('are as missing ones', async () => {
    const other = await createWorld(api.world.url, String(api.world.platform.key), 'Others');
    const { id } = await openJob(api.world);
    for (const method of ['GetTask', 'CancelTask']) {
      const known = await rpc(other.principal.client, method, { id });
      const unknown = await rpc(other.principal.client, method, { id: crypto.randomUUID() });
      const shown = ({ error }: Body) => [error.code, error.message, error.data[0].reason];
      expect(shown(known)).toEqual(shown(unknown));
      expect(known['error'].code).toBe(-32001);
    }
    const { result } = await rpc(other.principal.client, 'ListTasks', {});
    expect(result.tasks).toEqual([]);
  });
});

describe('the scopes', () => {
  const ask = { GetTask: 'records:read', ListTasks: 'records:read', CancelTask: 'records:write' };
  it.each(Object.entries(ask))('of %s are those of its operation', async (method, scope) => {
    const { id } = await openJob(api.world, { autoActivate: false });
    const owner = api.world.principal.id;
    const without = await mintKey(api.world.admin, owner, { scopes: ['reputation:read'] });
    const refused = await rpc(without.client, method, { id });
    expect(refused['error'].data).toMatchObject([
      { reason: 'INSUFFICIENT_SCOPE' },
      { status: 403, missingScopes: [scope] },
    ]);
    const having = await mintKey(api.world.admin, owner, { scopes: [scope] });
    expect(await rpc(having.client, method, { id })).toHaveProperty('result');
  });

  it('of every operation of every skill are asked', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['reputation:read'],
    });
    for (const { id: skill, operations } of SKILLS)
      for (const { id: operation, access, examples } of operations) {
        if (access({}) === 'public') continue;
        const [input = {}] = Object.values(examples);
        const answer = await rpc(client, 'SendMessage', note('s', { skill, operation, input }));
        expect(answer['error']?.data[0].reason, operation).toBe('INSUFFICIENT_SCOPE');
      }
  });

  it('show in the extended card which skills are open', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    const { result } = await rpc(client, 'GetExtendedAgentCard', {});
    expect(result.skills.map(({ id }: Body) => id)).toEqual(['inspect', 'verify']);
  });
});

describe('the tables', () => {
  it('lead from every action of guidance to a skill', () => {
    for (const [action, operation] of Object.entries(ACTION_OPERATIONS))
      expect(skillFor(operation, action), action).toBeDefined();
  });

  it('give every status a state, and every state a status', () => {
    expect(new Set(Object.values(STATE_OF))).toEqual(new Set(TASK_STATES));
  });
});

describe('what an administrator reads', () => {
  it('is a leaf of the log of reads, with its protocol', async () => {
    const { id } = await openJob(api.world);
    const reads = api.service.container.get(TOKENS.orgReadsLogs);
    await rpc(api.world.admin, 'GetTask', { id });
    const { coseSign1 } = (await reads.newest(api.world.orgId))!;
    expect(parseStatement(coseSign1).payload).toMatchObject({
      predicate: { operation: 'getRecord', target: `record/${String(id)}`, protocol: 'a2a' },
    });
  });
});

describe('hostile requests', () => {
  it('hold the event loop no longer than others', async () => {
    const batch = Array.from({ length: 100 }, (_, id) => call('SendMessage', note(`h${id}`), id));
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`m${i}`, i]));
    const bodies = [batch, call('GetTask', wide), call('x'.repeat(500_000), {})].map((body) =>
      new TextEncoder().encode(JSON.stringify(body)),
    );
    const ask = (body: Uint8Array) =>
      send(api.world.url, principal().key, '/a2a', body, 'POST', VERSION);
    await ask(bodies[0]!);
    for (const body of bodies) expect(await longestGap(() => ask(body))).toBeLessThan(100);
  });
});
