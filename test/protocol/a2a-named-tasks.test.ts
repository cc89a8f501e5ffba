import { describe, expect, it } from 'vitest';
import type { Operation } from '../../application/call/operation.ts';
import { SKILLS } from '../../adapters/a2a/skills.ts';
import { eventsOf } from '../support/databases/outbox.ts';
import { rpc } from '../support/stories/a2a-stories.ts';
import { useApi } from '../support/service/api.ts';
import {
  createWorld,
  mintKey,
  ok,
  openDecided,
  openJob,
  type Body,
} from '../support/service/world.ts';

/** One rule for every message that names a task, before its skill is dispatched. */
const api = useApi();

/** Each version with its methods that take a message. The names of the params are the same in both. */
const DOORS = [
  ['1.0', 'SendMessage'],
  ['1.0', 'SendStreamingMessage'],
  ['0.3', 'message/send'],
  ['0.3', 'message/stream'],
] as const;

type Part = { readonly data: Body } | { readonly text: string };
const partOf = (skill: string, operation: string, input: Body | null): Part => ({
  data: { skill, operation, ...(input ? { input } : {}) },
});
const TEXT: Part = { text: 'Please go on.' };

/** Data that says no skill, an unknown one, or more than a message may. */
const UNREADABLE: readonly Body[] = [
  {},
  { skill: 'nope' },
  { skill: 'notarize', extra: 1 },
  { skill: 'notarize', operation: 'nope' },
];

/** Every operation of every skill, with an input that is valid and about this record; text alone; and unreadable data. */
const everyPart = (recordId: string): readonly (readonly [string, Operation | null, Part])[] => [
  ['text', null, TEXT],
  ...UNREADABLE.map((data) => [JSON.stringify(data), null, { data }] as const),
  ...SKILLS.flatMap(({ id: skill, operations }) =>
    operations.flatMap((operation) => {
      const [example = {}] = Object.values(operation.examples);
      const about = 'recordId' in operation.input.properties ? { recordId } : {};
      const input = { ...example, ...about, ...validFor(operation.id) };
      const name = `${skill}/${operation.id}`;
      return [
        [name, operation, partOf(skill, operation.id, input)],
        [`${name} without input`, operation, partOf(skill, operation.id, null)],
      ] as const;
    }),
  ),
];
/** Creations that would be carried out. */
const validFor = (operation: string): Body =>
  operation === 'createRecord'
    ? { type: 'note', criteria: { n: 1 } }
    : operation === 'createRecordsBulk'
      ? { items: [{ type: 'note', criteria: { n: 1 } }] }
      : {};

const messageOf = (part: Part, more: Body): Body => ({
  message: {
    messageId: crypto.randomUUID(),
    role: 'ROLE_USER',
    parts: [part],
    ...more,
  },
});

/** How many records there are, and how many events of records: each entry of a chain has one. */
const count = async (): Promise<unknown> => {
  const { total } = await ok(api.world.admin.get('/v1/records?limit=1'));
  return { total, events: eventsOf(api).length };
};

/** The code of the answer; that of a stream is the one of its only event, undefined if it began. */
const codeOf = async (
  [version, method]: readonly [string, string],
  params: Body,
  client = api.world.principal.client,
): Promise<unknown> =>
  (await rpc(client, method, params, version === '0.3' ? {} : { 'a2a-version': version }))['error']
    ?.code;

describe.each(DOORS)('a message of %s by %s', (...door) => {
  it('that names a task which is not there, or not readable, is -32001 whatever its skill', async () => {
    const name = `Others ${door.join(' ').replaceAll(/\W/g, ' ')}`;
    const other = await createWorld(api.world.url, String(api.world.platform.key), name);
    const foreign = String((await openJob(other))['id']);
    const before = await count();
    for (const taskId of [crypto.randomUUID(), foreign, 'no-id', 'draft:', 'draft:mine'])
      for (const [name, , part] of everyPart(taskId))
        expect([taskId, name, await codeOf(door, messageOf(part, { taskId }))]).toEqual([
          taskId,
          name,
          -32001,
        ]);
    expect(await count()).toEqual(before);
  });

  it('that names another context than that of its task is refused whatever its skill', async () => {
    const { id } = await openJob(api.world);
    const taskId = String(id);
    const draft = `draft:${crypto.randomUUID()}`;
    const before = await count();
    for (const more of [
      { taskId, contextId: crypto.randomUUID() },
      { taskId, contextId: draft },
      { taskId: draft, contextId: taskId },
      { taskId: draft, contextId: `draft:${crypto.randomUUID()}` },
    ])
      for (const [name, , part] of everyPart(taskId))
        expect([more, name, await codeOf(door, messageOf(part, more))]).toEqual([
          more,
          name,
          -32602,
        ]);
    expect(await count()).toEqual(before);
  });

  it('that names a task which ended is -32004, unless it reads or the lifecycle has a step left', async () => {
    const { id } = await openDecided(api.world, 'accept');
    const taskId = String(id);
    const before = await count();
    for (const [name, operation, part] of everyPart(taskId)) {
      if (operation?.effect === 'read' || /^dispute\/|\/addReference/.test(name)) continue;
      const code = await codeOf(door, messageOf(part, { taskId, contextId: taskId }));
      expect([name, code]).toEqual([name, -32004]);
    }
    expect(await count()).toEqual(before);
  });
});

describe('a task that ended', () => {
  it.each(DOORS)('can still be read and disputed, by %s %s', async (...door) => {
    const { id } = await openDecided(api.world, 'accept');
    const more = { taskId: String(id), contextId: String(id) };
    const ask = (skill: string, input: Body, client = api.world.principal.client) =>
      codeOf(door, messageOf({ data: { skill, input } }, more), client);
    expect(await ask('inspect', {})).toBeUndefined();
    expect(await ask('dispute', {})).toBeUndefined();
    const { data } = await ok(api.world.admin.get(`/v1/disputes?recordId=${String(id)}`));
    expect(data).toHaveLength(1);
  });

  it('that failed still takes the verdict that overrides the rejection', async () => {
    const { id, completionId } = await openDecided(api.world, 'reject');
    const part = partOf('render-verdict', 'renderVerdict', { completionId, verdict: 'accept' });
    const { result } = await rpc(
      api.world.principal.client,
      'SendMessage',
      messageOf(part, { taskId: id }),
    );
    expect(result.task.metadata).toMatchObject({ recordStatus: 'REMEDIATED' });
  });

  it('answers a repetition of the message that ended it, and nothing new', async () => {
    const { id } = await openJob(api.world);
    const cancel = { action: 'cancel' };
    const part = partOf('open-record', 'transitionRecord', cancel);
    const { message } = messageOf(part, { taskId: String(id) });
    const send = () => rpc(api.world.principal.client, 'SendMessage', { message });
    const first = await send();
    expect(first['result'].task.status.state).toBe('TASK_STATE_CANCELED');
    for (let times = 0; times < 2; times++) {
      const again = await send();
      expect(again['result'].task.metadata.idempotencyReplayed).toBe(true);
    }
    const fresh = messageOf(part, { taskId: String(id) });
    for (let times = 0; times < 2; times++) expect(await codeOf(DOORS[0], fresh)).toBe(-32004);
    const malformed = partOf('open-record', 'transitionRecord', { action: 'no-action' });
    const params = messageOf(malformed, { taskId: String(id) });
    expect(await codeOf(DOORS[0], params)).toBe(-32004);
  });
});

describe('a task that goes on', () => {
  it.each(DOORS)('is continued by no operation that starts another, by %s %s', async (...door) => {
    const taskId = String((await openJob(api.world))['id']);
    const before = await count();
    const started: string[] = [];
    for (const [name, operation, part] of everyPart(taskId)) {
      if (operation?.effect !== 'write' || 'recordId' in operation.input.properties) continue;
      started.push(operation.id);
      expect([name, await codeOf(door, messageOf(part, { taskId }))]).toEqual([name, -32004]);
    }
    expect(started).toContain('createRecord');
    expect(await count()).toEqual(before);
  });

  it('is the one that text is answered with, in its own state and context', async () => {
    const { id } = await openJob(api.world);
    const { result } = await rpc(
      api.world.principal.client,
      'SendMessage',
      messageOf(TEXT, { taskId: String(id) }),
    );
    expect(result.task).toMatchObject({
      id,
      contextId: id,
      status: {
        state: 'TASK_STATE_WORKING',
        message: { taskId: id, contextId: id, parts: [{}, { data: { missing: [{}, {}] } }] },
      },
    });
  });

  it('takes a message with its context, in either case', async () => {
    const { id } = await openJob(api.world);
    const upper = String(id).toUpperCase();
    const part = partOf('submit-completion', 'submitCompletion', { evidence: { score: 9 } });
    const params = messageOf(part, { taskId: upper, contextId: upper });
    expect(await codeOf(DOORS[0], params, api.world.performer.client)).toBeUndefined();
  });

  it('is named with the scope to read, and a key without it learns nothing of the task', async () => {
    const { id } = await openJob(api.world);
    const { client } = await mintKey(api.world.admin, api.world.performer.id, {
      scopes: ['completions:write'],
    });
    const part = partOf('submit-completion', 'submitCompletion', { evidence: { score: 9 } });
    for (const taskId of [String(id), crypto.randomUUID()]) {
      const { error } = await rpc(client, 'SendMessage', messageOf(part, { taskId }));
      expect(error.data[1]).toMatchObject({ status: 403, missingScopes: ['records:read'] });
    }
  });
});
