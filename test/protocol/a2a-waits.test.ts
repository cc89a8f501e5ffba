import { describe, expect, it } from 'vitest';
import { EventTail } from '../../application/event/event-tail.ts';
import { useApi } from '../support/service/api.ts';
import { until } from '../support/peers/receiver.ts';
import { GOAL, ok, openJob, type Body, type Client, type World } from '../support/service/world.ts';

/** SendMessage answers when the task ends or awaits input of the caller (A2A 1.0 section 3.2.2). */
const api = useApi({ RATE_LIMIT_STREAMS: '5' });
const MAX_WAIT_MS = 4_000;

const FORMS = {
  '1.0': {
    method: 'SendMessage',
    role: 'ROLE_USER',
    part: (data: Body) => ({ data }),
    waits: {},
    hurries: { returnImmediately: true },
    taskIn: ({ result }: Body) => result.task as Body,
    state: (name: string) => `TASK_STATE_${name}`,
  },
  '0.3': {
    method: 'message/send',
    role: 'user',
    part: (data: Body) => ({ kind: 'data', data }),
    waits: { blocking: true },
    hurries: {},
    taskIn: ({ result }: Body) => result as Body,
    state: (name: string) => name.toLowerCase().replaceAll('_', '-'),
  },
} as const;

const VERSIONS = ['1.0', '0.3'] as const;
type Version = (typeof VERSIONS)[number];
interface Asked {
  readonly taskId?: unknown;
  readonly configuration?: Body;
  readonly signal?: AbortSignal;
}

const stateOf = (task: Body): unknown => (task['status'] as Body)['state'];
const sender =
  (version: Version, { waits, method, role, part, taskIn } = FORMS[version]) =>
  async (
    client: Client,
    data: Body,
    { taskId, configuration, signal }: Asked = {},
  ): Promise<Body> => {
    const message = {
      messageId: crypto.randomUUID(),
      role,
      parts: [part(data)],
      ...(taskId === undefined ? {} : { taskId }),
    };
    const params = { message, configuration: configuration ?? waits };
    const answer = await fetch(`${client.url}/a2a`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.key!}`,
        'content-type': 'application/json',
        'a2a-version': version,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
      ...(signal ? { signal } : {}),
    });
    const body = (await answer.json()) as Body;
    expect(body).not.toHaveProperty('error');
    expect([answer.status, body['id']]).toEqual([200, 7]);
    return taskIn(body);
  };
const offer = ({ performer }: World) => ({
  skill: 'open-record',
  input: { type: 'job', criteria: GOAL, performerAgentId: performer.id },
});
const DELIVERY = { skill: 'submit-completion', input: { evidence: { score: 9 } } };

describe.each(VERSIONS)('SendMessage in A2A %s', (version) => {
  const { hurries, state } = FORMS[version];
  const send = sender(version);
  const waiting = (): number => api.service.container.get(EventTail).size;

  it('answers once another agent has brought the task to its end', async () => {
    const { principal, performer } = api.world;
    const { id } = await openJob(api.world);
    const delivered = send(performer.client, DELIVERY, { taskId: id });
    await until(() => waiting() === 1);
    const { latestCompletionId } = await ok(principal.client.get(`/v1/records/${String(id)}`));
    const input = { completionId: latestCompletionId, verdict: 'accept' };
    const judged = await send(principal.client, { skill: 'render-verdict', input }, { taskId: id });
    expect(stateOf(judged)).toBe(state('COMPLETED'));
    const task = await delivered;
    expect(stateOf(task)).toBe(state('COMPLETED'));
    const metadata = task['metadata'] as Body;
    expect(metadata).toMatchObject({ operation: 'submitCompletion', recordStatus: 'FULFILLED' });
    expect(metadata['version']).toBe(metadata['recordVersion']);
    const artifacts = (task['artifacts'] as Body[]).map(({ artifactId }) => artifactId);
    expect(artifacts).toEqual(['result', 'record', 'completion', 'statement']);
    await until(() => waiting() === 0);
  });

  it('answers once the caller is asked for input', async () => {
    const { principal, performer } = api.world;
    const { id } = await openJob(api.world, { autoActivate: false });
    const path = `/v1/records/${String(id)}/transition`;
    const counter = { action: 'counter-propose', criteria: { goal: 'h', threshold: 3 } };
    const reference = { kind: 'ticket', uri: 'https://tickets.example/1' };
    const asked = { skill: 'open-record', operation: 'addReference', input: reference };
    const sent = send(principal.client, asked, { taskId: id });
    await until(() => waiting() === 1);
    await ok(performer.client.post(path, counter));
    expect(stateOf(await sent)).toBe(state('INPUT_REQUIRED'));
  });

  it('answers at once if it is asked to, and the answer is the same', async () => {
    const { performer } = api.world;
    const { id } = await openJob(api.world);
    const asked = { taskId: id, configuration: hurries };
    expect(stateOf(await send(performer.client, DELIVERY, asked))).toBe(state('WORKING'));
  });

  it('gives its slot back when the caller leaves, and needs none to answer at once', async () => {
    const { principal } = api.world;
    const leaves = Array.from({ length: 5 }, () => new AbortController());
    const left = leaves.map(({ signal }) =>
      expect(send(principal.client, offer(api.world), { signal })).rejects.toThrow(/abort/i),
    );
    await until(() => waiting() === 5);
    expect(stateOf(await send(principal.client, offer(api.world)))).toBe(state('SUBMITTED'));
    for (const leave of leaves) leave.abort();
    await Promise.all(left);
    await until(() => waiting() === 0);
  });
});

describe('a service whose requests may take four seconds', () => {
  const hasty = useApi({ HANDLER_TIMEOUT_MS: String(MAX_WAIT_MS) });
  it('answers SendMessage then with the task as it is', async () => {
    const began = performance.now();
    const { principal } = hasty.world;
    const tasks = await Promise.all(
      VERSIONS.map((version) => sender(version)(principal.client, offer(hasty.world))),
    );
    expect(tasks.map(stateOf)).toEqual(['TASK_STATE_SUBMITTED', 'submitted']);
    expect(performance.now() - began).toBeGreaterThanOrEqual(MAX_WAIT_MS);
  });
});
