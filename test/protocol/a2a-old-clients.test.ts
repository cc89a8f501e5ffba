import { Role, TaskState } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client';
import { A2AClient as A2AClient02 } from 'a2a-sdk-0.2/client';
import * as sdk03 from 'a2a-sdk-0.3/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { rpc } from '../support/stories/a2a-stories.ts';
import { GOAL, ok, openJob, type Body } from '../support/service/world.ts';

/** The clients of three generations of the SDK, unchanged: each is given the base URL and a credential, and no more. */
const api = useApi();

interface Generation {
  /** The card as the client has read it. */
  card(): Promise<object>;
  /** The result, as the client gives it. */
  send(data: Body): Promise<object>;
  get(id: string): Promise<object>;
  /** The events of the task, until it ends. */
  subscribe(id: string): AsyncIterable<object>;
  /** The same for a message: its answer first. */
  stream(data: Body): AsyncIterable<object>;
}

/** Adds the credential of the principal to a request that has none. */
const withKey: typeof fetch = (input, init) =>
  realFetch(input, {
    ...init,
    headers: {
      authorization: `Bearer ${String(api.world.principal.client.key)}`,
      ...(init?.headers as object),
    },
  });
const realFetch = globalThis.fetch;

/** All events of a stream. @param act is done once the first event came. */
const eventsOf = async <T>(
  stream: AsyncIterable<T>,
  act: (event: T) => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly T[]> => {
  const events: T[] = [];
  for await (const event of stream) if (events.push(event) === 1) await act(event);
  return events;
};

const message = (data: Body) => ({
  message: {
    kind: 'message' as const,
    messageId: crypto.randomUUID(),
    role: 'user' as const,
    parts: [{ kind: 'data' as const, data }],
  },
});
const resultOf = (answer: object): object => {
  expect(answer).not.toHaveProperty('error');
  return (answer as { readonly result: object }).result;
};

/** The class that both old SDKs have. The one of 0.2 takes no `fetch`, so the global one sends the credential. */
const byClass = (client: A2AClient02 | sdk03.A2AClient): Generation => ({
  card: () => client.getAgentCard(),
  send: async (data) => resultOf(await client.sendMessage(message(data))),
  get: async (id) => resultOf(await client.getTask({ id })),
  subscribe: (id) => client.resubscribeTask({ id }),
  stream: (data) => client.sendMessageStream(message(data)),
});

const GENERATIONS: Readonly<Record<string, () => Promise<Generation>>> = {
  '0.2.5': () => {
    vi.stubGlobal('fetch', withKey);
    return Promise.resolve(byClass(new A2AClient02(api.world.url)));
  },
  '0.3.14, by its class': async () =>
    byClass(
      await sdk03.A2AClient.fromCardUrl(`${api.world.url}/.well-known/agent-card.json`, {
        fetchImpl: withKey,
      }),
    ),
  '0.3.14, by its factory': async () => {
    const client = await new sdk03.ClientFactory({
      transports: [new sdk03.JsonRpcTransportFactory({ fetchImpl: withKey })],
      cardResolver: new sdk03.DefaultAgentCardResolver({ fetchImpl: withKey }),
    }).createFromUrl(api.world.url);
    return {
      card: () => client.getAgentCard(),
      send: (data) => client.sendMessage(message(data)),
      get: (id) => client.getTask({ id }),
      subscribe: (id) => client.resubscribeTask({ id }),
      stream: (data) => client.sendMessageStream(message(data)),
    };
  },
};

const NOTE = { skill: 'notarize', input: { type: 'note', criteria: { text: 'paid' } } };

afterEach(() => void vi.unstubAllGlobals());

describe.each(Object.entries(GENERATIONS))('the client of SDK %s', (_, connect) => {
  it('finds its way from the base URL: card, message, task and streams', async () => {
    const client = await connect();
    expect(await client.card()).toMatchObject({
      protocolVersion: '0.3.0',
      url: `${api.world.url}/a2a`,
    });
    const sent = (await client.send(NOTE)) as Body;
    expect(sent).toMatchObject({
      kind: 'task',
      status: { state: 'completed', message: { kind: 'message', role: 'agent' } },
      artifacts: [{ parts: [{ kind: 'data', data: { id: sent['id'] } }] }, {}],
    });
    expect(await client.get(String(sent['id']))).toMatchObject({
      kind: 'task',
      id: sent['id'],
      status: { state: 'completed' },
    });
    const { id } = await openJob(api.world);
    const cancel = () => rpc(api.world.principal.client, 'CancelTask', { id });
    expect(await eventsOf(client.subscribe(String(id)), cancel)).toMatchObject([
      { kind: 'task', id, status: { state: 'working' } },
      { kind: 'status-update', taskId: id, status: { state: 'canceled' }, final: true },
    ]);
    expect(await eventsOf(client.stream(NOTE))).toMatchObject([
      { kind: 'task', status: { state: 'completed' } },
    ]);
  });

  it('is told which event is the last one, also if the stream ends because its input is awaited', async () => {
    const client = await connect();
    const input = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const counter = (task: object) =>
      ok(
        api.world.performer.client.post(`/v1/records/${String((task as Body)['id'])}/transition`, {
          action: 'counter-propose',
          criteria: { goal: 'h', threshold: 3 },
        }),
      );
    const events = await eventsOf(client.stream({ skill: 'open-record', input }), counter);
    expect(events).toMatchObject([
      { kind: 'task', status: { state: 'submitted' } },
      { kind: 'status-update', status: { state: 'input-required' }, final: true },
    ]);
  });
});

describe.each([
  ['as it is', {}],
  ['with its support of 0.3', { legacyCompat: { enabled: true } }],
])('the client of the current SDK, %s', (_, compat) => {
  it('finds the interface of 1.0 from the same base URL, although it sends no version for the card', async () => {
    const client = await new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: withKey, ...compat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: withKey, ...compat }),
    }).createFromUrl(api.world.url);
    expect(client.protocolVersion).toBe('1.0');
    const params = (data: Body) => ({
      tenant: '',
      message: {
        messageId: crypto.randomUUID(),
        contextId: '',
        taskId: '',
        role: Role.ROLE_USER,
        parts: [
          {
            content: { $case: 'data' as const, value: data },
            metadata: undefined,
            filename: '',
            mediaType: '',
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: undefined,
      metadata: undefined,
    });
    const { id } = (await client.sendMessage(params(NOTE))) as { readonly id: string };
    const { status } = await client.getTask({ tenant: '', id, historyLength: undefined });
    expect(status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(await eventsOf(client.sendMessageStream(params(NOTE)))).toMatchObject([
      { payload: { $case: 'task' } },
    ]);
    expect((await client.getAgentCard()).skills).not.toEqual([]);
  });
});
