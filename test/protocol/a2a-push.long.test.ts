import {
  Role,
  StreamResponse,
  TaskState,
  type SendMessageRequest,
  type TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3';
import { describe, expect, it } from 'vitest';
import { ForgetPushConfigs } from '../../application/delivery/forget-push-configs.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { TOKENS } from '../../config/tokens.ts';
import { isActive } from '../../domain/delivery/subscription.ts';
import { a2aClient } from '../support/clients/a2a.ts';
import { rpc } from '../support/stories/a2a-stories.ts';
import { useApi } from '../support/service/api.ts';
import { disputePath } from '../support/stories/disputes.ts';
import { until, type Received } from '../support/peers/receiver.ts';
import { SENDS_HERE, useReceivers } from '../support/peers/receivers.ts';
import {
  addAgent,
  deliver,
  GOAL,
  mintKey,
  ok,
  openDecided,
  openJob,
  proposeJob,
  sleep,
  type Body,
  type Client,
} from '../support/service/world.ts';

const api = useApi(SENDS_HERE);
const receiver = useReceivers();

const TOKEN = 'a-token-of-the-task';
const CREDENTIALS = 'what-the-receiver-expects';
const config = (
  taskId: unknown,
  url: string,
  more: Partial<TaskPushNotificationConfig> = {},
): TaskPushNotificationConfig => ({
  tenant: '',
  id: 'mine',
  taskId: String(taskId),
  url,
  token: TOKEN,
  authentication: { scheme: 'Bearer', credentials: CREDENTIALS },
  ...more,
});
const verdict = (id: unknown, completionId: unknown): Promise<Body> =>
  ok(
    api.world.principal.client.post(`/v1/records/${String(id)}/verdict`, {
      completionId,
      verdict: 'accept',
    }),
  );
const accept = (id: unknown): Promise<Body> =>
  ok(api.world.performer.client.post(`/v1/records/${String(id)}/transition`, { action: 'accept' }));
const parsed = (received: Received, isLegacy: boolean): StreamResponse =>
  isLegacy
    ? legacyPushNotificationToV1StreamResponse(received.body)
    : StreamResponse.fromJSON(received.body);
const statusIn = ({ payload }: StreamResponse) =>
  payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value : undefined;
const codeOf = async (who: Client, method: string, params: Body): Promise<unknown> =>
  ((await rpc(who, method, params))['error'] as Body | undefined)?.['code'];
const set = (who: Client, taskId: unknown, url: string, more: Body = {}): Promise<Body> =>
  rpc(who, 'CreateTaskPushNotificationConfig', { taskId, url, ...more });

describe.each([
  ['1.0', false],
  ['0.3', true],
] as const)('push configurations of %s, by the client of the SDK', (version, isLegacy) => {
  it('are set, read, listed and deleted, and show neither token nor credentials', async () => {
    const client = await a2aClient(api.world.principal.client, { isLegacy });
    const { id } = await proposeJob(api.world);
    const url = 'https://receiver.example.com/push';
    const shown = { id: 'mine', taskId: id, url, token: '' };
    const auth = { scheme: 'Bearer', credentials: '' };
    expect(await client.createTaskPushNotificationConfig(config(id, url))).toMatchObject(shown);
    const asked = { tenant: '', taskId: String(id), id: 'mine' };
    const got = await client.getTaskPushNotificationConfig(asked);
    expect(got).toMatchObject({ ...shown, authentication: auth });
    const other = config(id, `${url}/2`, { id: '', token: '', authentication: undefined });
    const made = await client.createTaskPushNotificationConfig(other);
    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    const again = await client.createTaskPushNotificationConfig(config(id, `${url}/3`));
    expect(again.url).toBe(`${url}/3`);
    const page = { tenant: '', taskId: String(id), pageSize: 0, pageToken: '' };
    const listed = async () =>
      (await client.listTaskPushNotificationConfig(page)).configs.map((one) => [one.id, one.url]);
    expect(await listed()).toEqual([
      ['mine', `${url}/3`],
      [made.id, `${url}/2`],
    ]);
    await client.deleteTaskPushNotificationConfig(asked);
    expect(await listed()).toEqual([[made.id, `${url}/2`]]);
    await expect(client.getTaskPushNotificationConfig(asked)).rejects.toThrow(
      'There is no such push configuration.',
    );
    const { data } = await ok(api.world.admin.get('/v1/webhooks?limit=200'));
    expect((data as Body[]).filter(({ url: to }) => String(to).includes('/push'))).toEqual([]);
  });

  it('tell each change of the task and of no other, with token and credentials, until it ends', async () => {
    const to = await receiver();
    const client = await a2aClient(api.world.principal.client, { isLegacy });
    const { id } = await proposeJob(api.world);
    await client.createTaskPushNotificationConfig(config(id, `${to.url}/push`));
    await openJob(api.world);
    await accept(id);
    const { id: completionId } = await deliver(api.world, id);
    await verdict(id, completionId);
    await until(() => to.received.length >= 3);
    const told = to.received.map((one) => statusIn(parsed(one, isLegacy)));
    expect(told.map((one) => one?.status?.state)).toEqual([
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_COMPLETED,
    ]);
    for (const one of to.received) {
      expect(one.headers).toMatchObject({
        'x-a2a-notification-token': TOKEN,
        authorization: `Bearer ${CREDENTIALS}`,
        'content-type': isLegacy ? 'application/json' : 'application/a2a+json',
      });
      expect(one.headers['x-service-delivery']).toMatch(/^[0-9a-f-]{36}$/);
      expect(one.headers['signature']).toMatch(/^sig1=:/);
      expect(one.raw).not.toContain('threshold');
    }
    const [first] = to.received;
    const body = isLegacy ? first!.body : (first!.body['statusUpdate'] as Body);
    expect(body[isLegacy ? 'id' : 'taskId']).toBe(id);
    expect(body).toMatchObject({
      ...(isLegacy ? { kind: 'task' } : {}),
      contextId: id,
      metadata: {
        recordStatus: 'ACTIVE',
        event: {
          type: 'record.proposal_accepted',
          id: first!.headers['x-service-idempotency-key'],
          eventSequence: 1,
          data: { audience: `${to.url}/push`, orgId: api.world.orgId },
        },
      },
    });
    const task = await client.getTask({ tenant: '', id: String(id), historyLength: undefined });
    expect(task.status?.state).toBe(told.at(-1)?.status?.state);
  });

  it('may come with a message: at a new task what follows is told, at a known one the act itself too', async () => {
    const to = await receiver();
    const [principal, performer] = [
      await a2aClient(api.world.principal.client, { isLegacy }),
      await a2aClient(api.world.performer.client, { isLegacy }),
    ];
    const send = (data: Body, path: string): SendMessageRequest => ({
      tenant: '',
      message: {
        messageId: crypto.randomUUID(),
        contextId: '',
        taskId: '',
        role: Role.ROLE_USER,
        parts: [
          {
            content: { $case: 'data', value: data },
            metadata: undefined,
            filename: '',
            mediaType: '',
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: config('', `${to.url}${path}`),
        historyLength: undefined,
        returnImmediately: true,
      },
      metadata: undefined,
    });
    const input = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const asked = send({ skill: 'open-record', input }, '/principal');
    const task = (await principal.sendMessage(asked)) as { readonly id: string };
    // The same message again makes neither another task nor another configuration.
    expect(await principal.sendMessage(asked)).toMatchObject({ id: task.id });
    const answer = { recordId: task.id, action: 'accept' };
    await performer.sendMessage(
      send({ skill: 'respond-to-proposal', input: answer }, '/performer'),
    );
    await until(() => to.received.length >= 2);
    await sleep(400);
    expect(to.received.map(({ path }) => path).sort()).toEqual(['/performer', '/principal']);
    const [one] = to.received;
    expect(statusIn(parsed(one!, isLegacy))?.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(one!.headers['x-a2a-notification-token']).toBe(TOKEN);
    expect(version).toBe(isLegacy ? '0.3' : '1.0');
  });
});

describe('push configurations', () => {
  it('say to each reader what is awaited of it, as the streams do', async () => {
    const to = await receiver();
    const { id } = await proposeJob(api.world);
    const { principal, performer } = api.world;
    await set(principal.client, id, `${to.url}/principal`);
    await set(performer.client, id, `${to.url}/performer`);
    const terms = { action: 'counter-propose', criteria: { goal: 'another' } };
    await ok(performer.client.post(`/v1/records/${String(id)}/transition`, terms));
    await until(() => to.received.length >= 2);
    const states = Object.fromEntries(
      to.received.map(({ path, body }) => [path, body['statusUpdate']['status']['state']]),
    );
    expect(states).toEqual({
      '/principal': 'TASK_STATE_INPUT_REQUIRED',
      '/performer': 'TASK_STATE_SUBMITTED',
    });
  });

  it('tell what a dispute makes of the outcome', async () => {
    const to = await receiver();
    const { id } = await openDecided(api.world, 'accept');
    const { principal, performer } = api.world;
    await set(performer.client, id, to.url);
    await ok(principal.client.post(disputePath(id), {}));
    // The performer concedes.
    await ok(
      performer.client.post(disputePath(id, 'resolve'), {
        outcome: 'OVERTURNED',
        resolution: 'conceded',
      }),
    );
    await until(() => to.received.length >= 2);
    await sleep(300);
    expect(to.received.map(({ body }) => body['statusUpdate']['metadata']['recordStatus'])).toEqual(
      ['FULFILLED', 'FAILED'],
    );
  });

  it('are for parties alone: to another org the task is not there, and an operator is refused', async () => {
    const { id } = await proposeJob(api.world);
    const { orgId } = await ok(
      api.world.platform.post('/v1/admin/orgs', { name: 'Elsewhere', slug: 'elsewhere-push' }),
    ).then((org) => ({ orgId: String(org['id']) }));
    const foreign = await addAgent(api.world.platform, orgId, 'stranger');
    const url = 'https://receiver.example.com/';
    await set(api.world.principal.client, id, url, { id: 'mine' });
    const one = { taskId: id, id: 'mine' };
    for (const [method, params] of [
      ['CreateTaskPushNotificationConfig', { taskId: id, url }],
      ['GetTaskPushNotificationConfig', one],
      ['ListTaskPushNotificationConfigs', { taskId: id }],
      ['DeleteTaskPushNotificationConfig', one],
    ] as const)
      expect(await codeOf(foreign.client, method, params), method).toBe(-32001);
    // Each party sees its own.
    expect(await codeOf(api.world.performer.client, 'GetTaskPushNotificationConfig', one)).toBe(
      -32001,
    );
    expect((await set(api.world.platform, id, url))['error']['data'][1]).toMatchObject({
      code: 'FORBIDDEN',
    });
    const { client: reader } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read', 'records:write', 'webhooks:read'],
    });
    expect((await set(reader, id, url))['error']['data'][1]).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      missingScopes: ['webhooks:write'],
    });
    const [still] = (
      await rpc(api.world.principal.client, 'ListTaskPushNotificationConfigs', { taskId: id })
    )['result']['configs'] as Body[];
    expect(still).toMatchObject({ id: 'mine', url });
  });

  it('are ten at a task at most, of which ten at once may be asked for', async () => {
    const { id } = await proposeJob(api.world);
    const who = api.world.principal.client;
    const made = await Promise.all(
      Array.from({ length: 14 }, (_, n) =>
        set(who, id, `https://receiver.example.com/${n}`, { id: `c${n}` }),
      ),
    );
    const refused = made.filter(({ error }) => error);
    expect(refused).toHaveLength(4);
    for (const { error } of refused)
      expect(error['data'][1]).toMatchObject({
        status: 422,
        detail: expect.stringContaining('10 push configurations'),
      });
    const kept = made.find(({ result }) => result)!['result'] as Body;
    const replaced = await set(who, id, 'https://receiver.example.com/x', { id: kept['id'] });
    expect(replaced['result']).toMatchObject({ url: 'https://receiver.example.com/x' });
    expect(
      (await proposeJob(api.world).then((other) => set(who, other['id'], kept['url'])))['error'],
    ).toBeUndefined();
    await rpc(who, 'DeleteTaskPushNotificationConfig', { taskId: id, id: kept['id'] });
    expect((await set(who, id, String(kept['url'])))['error']).toBeUndefined();
  });

  it.each([
    ['http', { url: 'http://receiver.example.com/' }],
    ['a URL with credentials', { url: 'https://a:b@receiver.example.com/' }],
    ['a token that would make a field of its own', { token: 'a\r\nx-evil: 1' }],
    ['a scheme that is none', { authentication: { scheme: 'Bearer x', credentials: 'c' } }],
    ['credentials of two lines', { authentication: { scheme: 'Bearer', credentials: 'c\nd' } }],
    ['an id without end', { id: 'x'.repeat(300) }],
    ['no url', { url: undefined }],
  ])('with %s are refused, also in a message, which then does nothing', async (_, more) => {
    const { id } = await proposeJob(api.world);
    const who = api.world.performer.client;
    const given = { url: 'https://receiver.example.com/', ...more };
    const params = { taskId: id, ...given };
    expect(await codeOf(who, 'CreateTaskPushNotificationConfig', params)).toBe(-32602);
    const data = { skill: 'respond-to-proposal', input: { recordId: id, action: 'accept' } };
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data }] };
    const configuration = { taskPushNotificationConfig: given };
    expect(await codeOf(who, 'SendMessage', { message, configuration })).toBe(-32602);
    const { status } = await ok(who.get(`/v1/records/${String(id)}`));
    expect(status).toBe('PROPOSED');
  });

  it('stop at once where they are deleted, and where their agent is deactivated', async () => {
    const [gone, revoked, stays] = [await receiver(), await receiver(), await receiver()];
    const performer = await addAgent(api.world.admin, api.world.orgId, 'leaving');
    const { id } = await proposeJob(api.world, { performerAgentId: performer.id });
    const { principal, admin } = api.world;
    await set(principal.client, id, gone.url, { id: 'gone' });
    await set(principal.client, id, stays.url);
    await set(performer.client, id, revoked.url);
    await rpc(principal.client, 'DeleteTaskPushNotificationConfig', { taskId: id, id: 'gone' });
    await ok(admin.post(`/v1/admin/agents/${performer.id}/deactivate`, { reason: 'left' }));
    const cancel = { action: 'cancel' };
    await ok(principal.client.post(`/v1/records/${String(id)}/transition`, cancel));
    await until(() => stays.received.length === 1);
    await sleep(600);
    expect([gone.received.length, revoked.received.length]).toEqual([0, 0]);
  });

  it('are tried again as webhooks are, and what is refused stands in the DLQ', async () => {
    const [failing, refusing] = [await receiver(), await receiver()];
    const { id } = await proposeJob(api.world);
    failing.behave = (_, response) => {
      response.statusCode = failing.received.length === 1 ? 500 : 200;
      response.end();
    };
    refusing.behave = (_, response) => {
      response.statusCode = 403;
      response.end();
    };
    const who = api.world.principal.client;
    await set(who, id, failing.url);
    await set(who, id, refusing.url);
    await accept(id);
    await until(() => failing.received.length === 2 && refusing.received.length === 1);
    const [first, second] = failing.received;
    expect(second!.raw).toBe(first!.raw);
    const letters = async () =>
      (
        (await ok(api.world.platform.get('/v1/admin/webhook-dlq?limit=200')))['data'] as Body[]
      ).filter(({ event }) => (event as Body | null)?.['recordId'] === id);
    await until(async () => (await letters()).length === 1);
    const reasons = (await letters()).map(({ reason }) => String(reason)).sort();
    expect(reasons).toEqual(['rejected']);
    const letter = (await letters()).find(({ reason }) => reason === 'rejected')!;
    refusing.behave = (_, response) => void response.end();
    const path = `/v1/webhooks/${String(letter['subscriptionId'])}`;
    await ok(who.post(`${path}/dlq/${String(letter['id'])}/retry`));
    await until(() => refusing.received.length === 2);
    expect(refusing.received[1]!.raw).toBe(refusing.received[0]!.raw);
    expect((await who.get(path)).status).toBe(404);
    expect((await who.call('DELETE', path)).status).toBe(404);
  });

  it('end where the receiver is gone, and begin anew where they are set again', async () => {
    const to = await receiver();
    const { id } = await proposeJob(api.world);
    const who = api.world.principal.client;
    const { webhooks } = api.service.container.get(TOKENS.sql).reads;
    const kept = async () => {
      const [found] = await webhooks.pushConfigs(api.world.principal.id, String(id));
      return found!;
    };
    to.behave = (_, response) => {
      response.statusCode = 410;
      response.end();
    };
    await set(who, id, to.url, { id: 'mine' });
    await accept(id);
    await until(async () => !isActive(await kept()));
    const { id: completionId } = await deliver(api.world, id);
    await sleep(400);
    expect(to.received).toHaveLength(1);
    to.behave = (_, response) => void response.end();
    await set(who, id, to.url, { id: 'mine' });
    expect(isActive(await kept())).toBe(true);
    await verdict(id, completionId);
    await until(() => to.received.length === 2);
    expect(to.received[1]!.body['statusUpdate']['metadata']['recordStatus']).toBe('FULFILLED');
  });

  it('keep token and credentials encrypted, and forget them where they are deleted', async () => {
    const { id } = await proposeJob(api.world);
    const who = api.world.principal.client;
    const secrets = {
      token: TOKEN,
      authentication: { scheme: 'Bearer', credentials: CREDENTIALS },
    };
    await set(who, id, 'https://receiver.example.com/', { id: 'mine', ...secrets });
    const { webhooks } = api.service.container.get(TOKENS.sql).reads;
    const [kept] = await webhooks.pushConfigs(api.world.principal.id, String(id));
    expect(kept!.secret).not.toBeNull();
    expect(Buffer.from(kept!.secret!).includes(TOKEN)).toBe(false);
    expect(JSON.stringify(kept)).not.toContain(CREDENTIALS);
    await rpc(who, 'DeleteTaskPushNotificationConfig', { taskId: id, id: 'mine' });
    expect((await webhooks.find(kept!.id))!.subscription.secret).toBeNull();
  });

  it('are gone 30 days after the last change that the record may meet', async () => {
    const { webhooks, records } = api.service.container.get(TOKENS.sql).reads;
    const [over, running] = [await proposeJob(api.world), await proposeJob(api.world)];
    const who = api.world.principal.client;
    for (const { id } of [over, running]) await set(who, id, 'https://receiver.example.com/');
    await ok(who.post(`/v1/records/${String(over['id'])}/transition`, { action: 'cancel' }));
    const get = TOKENS.unitOfWork;
    const { container } = api.service;
    const at = (days: number) =>
      new ForgetPushConfigs(
        container.get(get),
        container.get(SealPlatform),
        webhooks,
        records,
        container.get(TOKENS.eventReads),
        { now: () => new Date(Date.now() + days * 86_400_000) },
        container.get(TOKENS.ids),
      ).run(new AbortController().signal);
    const left = async ({ id }: Body) =>
      (await webhooks.pushConfigs(api.world.principal.id, String(id))).length;
    await at(29);
    expect([await left(over), await left(running)]).toEqual([1, 1]);
    await at(31);
    expect([await left(over), await left(running)]).toEqual([0, 1]);
  });
});
