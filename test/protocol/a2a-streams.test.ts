import { Role, TaskState, type Message, type StreamResponse } from '@a2a-js/sdk';
import type { Client as A2aClient } from '@a2a-js/sdk/client';
import { describe, expect, it } from 'vitest';
import { Draining } from '../../adapters/http/draining.ts';
import { EventTail } from '../../application/event/event-tail.ts';
import { a2aClient } from '../support/clients/a2a.ts';
import { rpc } from '../support/stories/a2a-stories.ts';
import { useApi } from '../support/service/api.ts';
import {
  deliver,
  GOAL,
  mintKey,
  ok,
  openJob,
  sleep,
  type Body,
  type Client,
} from '../support/service/world.ts';

const api = useApi({ RATE_LIMIT_STREAMS: '5' });
const act = (who: Client, id: unknown, action: string, body: Body = {}) =>
  ok(who.post(`/v1/records/${String(id)}/transition`, { action, ...body }));
const waiting = (): number => api.service.container.get(EventTail).size;
const until = async (holds: () => boolean, milliseconds = 5_000): Promise<number> => {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > milliseconds) throw new Error('it did not come to be');
    await sleep(10);
  }
  return performance.now() - begun;
};

/** What a stream told, and how it ended. */
interface Heard {
  readonly events: StreamResponse[];
  readonly done: Promise<unknown>;
  isDone: boolean;
}
const hear = (stream: AsyncGenerator<StreamResponse>): Heard => {
  const events: StreamResponse[] = [];
  const listen = async (): Promise<unknown> => {
    try {
      for await (const event of stream) events.push(event);
      return null;
    } catch (error) {
      return error;
    }
  };
  const done = listen();
  const heard: Heard = { events, done, isDone: false };
  void done.then(() => (heard.isDone = true));
  return heard;
};
const statesOf = ({ events }: Heard): (TaskState | undefined)[] =>
  events.flatMap(({ payload }) =>
    payload?.$case === 'task' || payload?.$case === 'statusUpdate'
      ? [payload.value.status?.state]
      : [],
  );
const casesOf = ({ events }: Heard): unknown[] => events.map(({ payload }) => payload?.$case);
const subscribe = (client: A2aClient, id: unknown): Heard =>
  hear(client.resubscribeTask({ tenant: '', id: String(id) }));
const message = (data: Body): Message => ({
  messageId: crypto.randomUUID(),
  contextId: '',
  taskId: '',
  role: Role.ROLE_USER,
  parts: [
    { content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: '' },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

describe.each([
  ['1.0', false],
  ['0.3', true],
] as const)('streams of %s, by the client of the SDK', (_, isLegacy) => {
  it('tell the task and then each change, until it ends', async () => {
    const { principal, performer } = api.world;
    const client = await a2aClient(principal.client, { isLegacy });
    const { id } = await openJob(api.world, { autoActivate: false });
    const heard = subscribe(client, id);
    await until(() => heard.events.length === 1 && waiting() === 1);
    await act(performer.client, id, 'accept');
    await until(() => statesOf(heard).length === 2);
    const { id: completionId } = await deliver(api.world, id);
    await until(() => casesOf(heard).includes('artifactUpdate'));
    const verdict = { completionId, verdict: 'accept' };
    await ok(principal.client.post(`/v1/records/${String(id)}/verdict`, verdict));
    expect(await heard.done).toBeNull();
    expect(statesOf(heard)).toEqual([
      TaskState.TASK_STATE_SUBMITTED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_COMPLETED,
    ]);
    await until(() => waiting() === 0);
  });

  it('of a message begin with its task, and end at once where nothing more comes', async () => {
    const client = await a2aClient(api.world.principal.client, { isLegacy });
    const send = (data: Body) =>
      hear(
        client.sendMessageStream({
          tenant: '',
          message: message(data),
          configuration: undefined,
          metadata: undefined,
        }),
      );
    const noted = send({ skill: 'notarize', input: { type: 'note', criteria: {} } });
    expect(await noted.done).toBeNull();
    expect(casesOf(noted)).toEqual(['task']);
    const offer = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const open = send({ skill: 'open-record', input: offer });
    await until(() => open.events.length === 1 && waiting() === 1);
    const [{ payload }] = open.events as [StreamResponse];
    const { id } = payload?.value as Body;
    await act(api.world.performer.client, id, 'reject');
    expect(await open.done).toBeNull();
    expect(statesOf(open)).toEqual([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_REJECTED]);
  });

  it('of a task that ended, or is not there, are refused by their type', async () => {
    const client = await a2aClient(api.world.principal.client, { isLegacy });
    const { id } = await openJob(api.world);
    await act(api.world.principal.client, id, 'cancel');
    expect(await subscribe(client, id).done).toMatchObject({ name: 'UnsupportedOperationError' });
    expect(await subscribe(client, crypto.randomUUID()).done).toMatchObject({
      name: 'TaskNotFoundError',
    });
  });
});

describe('a stream', () => {
  it('is one of five of its key; the sixth is refused, until one is left', async () => {
    const { id } = await openJob(api.world);
    const { client: key } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    const aborts = Array.from({ length: 5 }, () => new AbortController());
    const open = (signal?: AbortSignal) =>
      fetch(`${api.world.url}/a2a`, {
        method: 'POST',
        ...(signal ? { signal } : {}),
        headers: {
          authorization: `Bearer ${key.key}`,
          'content-type': 'application/json',
          'a2a-version': '1.0',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } }),
      });
    const answers = await Promise.all(aborts.map(({ signal }) => open(signal)));
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array.from({ length: 5 }, () => 'text/event-stream; charset=utf-8'),
    );
    const sixth = (await (await open()).json()) as Body;
    expect(sixth['error'].data[1]).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    await until(() => waiting() === 5);
    aborts[0]!.abort();
    await until(() => waiting() === 4);
    const again = new AbortController();
    expect((await open(again.signal)).headers.get('content-type')).toContain('event-stream');
    for (const { abort } of [...aborts, again].map((one) => ({ abort: () => one.abort() })))
      abort();
    await until(() => waiting() === 0);
  });

  it('ends within about a second where its credential is revoked', async () => {
    const { id } = await openJob(api.world);
    const { keyId, client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    const heard = subscribe(await a2aClient(client), id);
    await until(() => heard.events.length === 1);
    await ok(api.world.admin.post('/v1/admin/api-keys/bulk-revoke', { keyIds: [keyId] }));
    expect(await until(() => heard.isDone)).toBeLessThan(20_000);
    expect(String(await heard.done)).toContain('-32000');
  });

  it('is no member of a batch, and needs the scope to read', async () => {
    const { id } = await openJob(api.world);
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } }];
    const headers = { 'a2a-version': '1.0' };
    const { body } = await api.world.principal.client.post('/a2a', batch, headers);
    expect(body).toMatchObject([{ error: { code: -32004 } }]);
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['reputation:read'],
    });
    const refused = await rpc(client, 'SubscribeToTask', { id });
    expect(refused['error'].data[0]).toMatchObject({ reason: 'INSUFFICIENT_SCOPE' });
  });

  it('ends, and says so, where the service stops', async () => {
    const { id } = await openJob(api.world);
    const heard = subscribe(await a2aClient(api.world.principal.client), id);
    await until(() => heard.events.length === 1 && waiting() === 1);
    api.service.container.get(Draining).begin();
    expect(await until(() => heard.isDone)).toBeLessThan(20_000);
    expect(String(await heard.done)).toContain('stops');
    expect(waiting()).toBe(0);
  });
});
