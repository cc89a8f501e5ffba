import { Role, TaskState, type Artifact, type Message, type Task } from '@a2a-js/sdk';
import type { Client as A2aClient } from '@a2a-js/sdk/client';
import { describe, expect, it } from 'vitest';
import { a2aClient } from '../support/clients/a2a.ts';
import { useApi } from '../support/service/api.ts';
import { entryTypes, GOAL, type Body } from '../support/service/world.ts';

/** The official client, unchanged, over both versions. */
const api = useApi();

const part = (content: { $case: 'data'; value: unknown } | { $case: 'text'; value: string }) => ({
  content,
  metadata: undefined,
  filename: '',
  mediaType: '',
});
const message = (data: Body | null, taskId = ''): Message => ({
  messageId: crypto.randomUUID(),
  contextId: '',
  taskId,
  role: Role.ROLE_USER,
  parts: data
    ? [part({ $case: 'data', value: data })]
    : [part({ $case: 'text', value: 'Please notarize this.' })],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});
const send = (client: A2aClient, data: Body | null, taskId?: string) =>
  client.sendMessage({
    tenant: '',
    message: message(data, taskId),
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      historyLength: undefined,
      returnImmediately: true,
    },
    metadata: undefined,
  });
const asTask = (answer: Message | Task): Task => {
  expect(answer).toHaveProperty('artifacts');
  return answer as Task;
};
const sendsTask = async (...asked: Parameters<typeof send>): Promise<Task> =>
  asTask(await send(...asked));
const dataOf = (artifacts: readonly Artifact[], id: string): Body =>
  artifacts.find(({ artifactId }) => artifactId === id)?.parts[0]?.content?.value as Body;
const get = (client: A2aClient, id: string) =>
  client.getTask({ tenant: '', id, historyLength: undefined });

describe.each([
  ['1.0', false],
  ['0.3', true],
] as const)('the client of the SDK, speaking %s', (version, isLegacy) => {
  const both = async () => ({
    principal: await a2aClient(api.world.principal.client, { isLegacy }),
    performer: await a2aClient(api.world.performer.client, { isLegacy }),
  });

  it('speaks it', async () => {
    expect((await both()).principal.protocolVersion).toBe(version);
  });

  it('notarizes', async () => {
    const { principal } = await both();
    const task = await sendsTask(principal, {
      skill: 'notarize',
      input: { type: 'note', criteria: { text: 'paid' } },
    });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.contextId).toBe(task.id);
    expect(dataOf(task.artifacts, 'record')).toMatchObject({ id: task.id, status: 'RECORDED' });
    expect(await entryTypes(api.world.principal.client, task.id)).toEqual(['RECORD_RECORDED']);
    expect((await get(principal, task.id)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('goes the whole gate path between two agents', async () => {
    const { principal, performer } = await both();
    const offered = await sendsTask(principal, {
      skill: 'open-record',
      input: { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id },
    });
    expect(offered.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
    const { id } = offered;
    // The side that is awaited is asked for its input, and told what it may do.
    const asked = await get(performer, id);
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const { guidance } = asked.status?.message?.parts[1]?.content?.value as Body;
    expect(guidance.nextSteps).toContainEqual(
      expect.objectContaining({
        skill: 'respond-to-proposal',
        operation: 'transitionRecord',
        input: { recordId: id, action: 'accept' },
      }),
    );
    const counter = { action: 'counter-propose', criteria: { goal: 'h', threshold: 3 } };
    await sendsTask(performer, { skill: 'respond-to-proposal', input: counter }, id);
    const agree = { skill: 'respond-to-proposal', input: { action: 'accept-counter' } };
    const accepted = await sendsTask(principal, agree, id);
    expect(accepted.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const delivery = { skill: 'submit-completion', input: { evidence: { score: 1 } } };
    const first = await sendsTask(performer, delivery, id);
    expect(first.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const more = { skill: 'render-verdict', operation: 'transitionRecord' };
    const revision = { ...more, input: { action: 'revision', reason: 'More.' } };
    const revised = await sendsTask(principal, revision, id);
    expect(revised.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const better = { skill: 'submit-completion', input: { evidence: { score: 9 } } };
    const delivered = await sendsTask(performer, better, id);
    const { id: completionId } = dataOf(delivered.artifacts, 'result');
    const waiting = (await get(principal, id)).status?.message?.parts[1]?.content?.value as Body;
    expect(waiting['guidance'].nextSteps).toContainEqual(
      expect.objectContaining({
        action: 'render-verdict',
        input: { recordId: id, completionId },
      }),
    );
    const verdict = { skill: 'render-verdict', input: { completionId, verdict: 'accept' } };
    const judged = await sendsTask(principal, verdict, id);
    expect(judged.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const done = await get(principal, id);
    expect(done.artifacts.map(({ artifactId }) => artifactId)).toEqual([
      'record',
      'completion',
      'statement',
    ]);
    expect(dataOf(done.artifacts, 'completion')).toMatchObject({ id: completionId });
    const disputed = await sendsTask(principal, { skill: 'dispute', input: {} }, id);
    expect(dataOf(disputed.artifacts, 'result')).toMatchObject({ recordId: id, tier: 1 });
  });

  it('cancels, and is told what cannot be cancelled any more', async () => {
    const { principal } = await both();
    const open = { skill: 'open-record', input: { type: 'job', criteria: GOAL } };
    const { id } = await sendsTask(principal, open);
    const cancel = () => principal.cancelTask({ tenant: '', id, metadata: undefined });
    expect((await cancel()).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(cancel()).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
  });

  it('is asked for input, by the names of what is missing, where it sends text alone', async () => {
    const { principal } = await both();
    const task = await sendsTask(principal, null);
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const [words, data] = task.status?.message?.parts ?? [];
    expect(words?.content?.value).toContain('"skill"');
    expect((data?.content?.value as Body)['skills']).toHaveLength(8);
    // The next message may name the task that asked.
    const note = { skill: 'notarize', input: { type: 'note', criteria: {} } };
    const { status } = await sendsTask(principal, note, task.id);
    expect(status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('meets the typed error of a task that is not there, and of one that is not its own', async () => {
    const { principal } = await both();
    const stranger = '019c1f00-0000-7000-8000-00000000dead';
    await expect(get(principal, stranger)).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    await expect(get(principal, 'no-id')).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  it('reads the extended card, which shows what its credential may do', async () => {
    const { principal } = await both();
    const { skills } = await principal.getAgentCard();
    expect(skills.map(({ id }) => id)).toContain('notarize');
  });
});

describe('the client of the SDK', () => {
  it('lists tasks, by state and context, page by page', async () => {
    const client = await a2aClient(api.world.principal.client);
    const base = {
      tenant: '',
      contextId: '',
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: '',
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: undefined,
      pageSize: 2,
    };
    const first = await client.listTasks(base);
    expect(first.tasks).toHaveLength(2);
    const next = await client.listTasks({ ...base, pageToken: first.nextPageToken });
    const ids = [...first.tasks, ...next.tasks].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const completed = await client.listTasks({
      ...base,
      pageSize: 50,
      status: TaskState.TASK_STATE_COMPLETED,
    });
    const statuses = completed.tasks.map(({ metadata }) => metadata?.['recordStatus']);
    expect(new Set(statuses)).toEqual(new Set(['RECORDED', 'FULFILLED']));
    expect(completed.totalSize).toBe(completed.tasks.length);
    const { id } = completed.tasks[0]!;
    const context = await client.listTasks({ ...base, contextId: id });
    expect(context.tasks.map((task) => task.id)).toEqual([id]);
  });

  it('meets refusals with their problem document', async () => {
    const client = await a2aClient(api.world.principal.client);
    const wrong = { skill: 'notarize', input: { type: 'job', criteria: {} } };
    await expect(send(client, wrong)).rejects.toMatchObject({
      name: 'RequestMalformedError',
      data: [
        { reason: 'SCHEMA_VALIDATION_ERROR', domain: new URL(api.world.url).host },
        { status: 422, code: 'SCHEMA_VALIDATION_ERROR', errors: [{ path: '/criteria/goal' }] },
      ],
    });
  });

  it('without a valid credential is refused as JSON-RPC refuses', async () => {
    const { url } = api.world;
    const client = await a2aClient({ ...api.world.principal.client, url, key: 'nobody' } as never);
    await expect(send(client, null)).rejects.toMatchObject({ envelopeCode: -32000 });
  });
});
