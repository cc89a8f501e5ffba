import { afterEach, describe, expect, test } from 'vitest';
import { SchemaLane, type LaneLimits } from '../../../adapters/json-schema/schema-lane.ts';
import { TaskGivenUp } from '../../../adapters/json-schema/schema-thread.ts';
import { schemaWeight } from '../../../adapters/json-schema/schema-weight.ts';

const threads: SchemaLane[] = [];
const thread = (limits: Partial<LaneLimits> = {}): SchemaLane => {
  const made = new SchemaLane(limits);
  threads.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(threads.splice(0).map((each) => each.stop()));
});

const SMALL = { kind: 'check', schema: '{"type":"object"}' } as const;
/** Takes seconds to compile. */
const LARGE = {
  kind: 'check',
  schema: JSON.stringify({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 4_000 }, (_, at) => [
        `p${at}`,
        { type: 'string', pattern: `[ab]*a[ab]{200}x${at}` },
      ]),
    ),
  }),
} as const;

const reasonOf = async (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => 'answered',
    (error: unknown) => (error instanceof TaskGivenUp ? error.reason : error),
  );

describe('the threads for schemas', () => {
  test('starts with the first task, and goes when there has been none for a while', async () => {
    const lazy = thread({ idleMs: 50 });
    expect(lazy.isRunning).toBe(false);
    expect(await lazy.run('a', SMALL)).toBe('[]');
    expect(lazy.isRunning).toBe(true);
    await expect.poll(() => lazy.isRunning).toBe(false);
    expect(await lazy.run('a', SMALL)).toBe('[]');
  });

  test('a task that takes too long is given up; the next one gets a new thread', async () => {
    const strict = thread({ taskMs: 1_500 });
    expect(await reasonOf(strict.run('a', LARGE))).toBe('too-long');
    // On a busy machine a new thread may take longer to start than this task may take.
    await expect.poll(() => reasonOf(strict.run('a', SMALL))).toBe('answered');
  });

  test('takes no more than its queue holds, by number and by size', async () => {
    const short = thread({ queuedTasks: 1 });
    expect(await Promise.all([1, 2, 3].map(() => reasonOf(short.run('a', SMALL))))).toEqual([
      'answered',
      'answered',
      'queue-full',
    ]);
    const narrow = thread({ queuedCharacters: 40 });
    expect(await Promise.all([1, 2].map(() => reasonOf(narrow.run('a', SMALL))))).toEqual([
      'answered',
      'queue-full',
    ]);
    expect(await narrow.run('a', SMALL)).toBe('[]');
  });

  test('one org holds no more than its share; the others are not refused for it', async () => {
    const shared = thread({ tasksPerOrg: 2 });
    const own = Promise.all([1, 2, 3].map(() => reasonOf(shared.run('a', SMALL))));
    expect(await reasonOf(shared.run('b', SMALL))).toBe('answered');
    expect(await own).toEqual(['answered', 'answered', 'org-full']);
    expect(await shared.run('a', SMALL)).toBe('[]');
    const narrow = thread({ charactersPerOrg: 40 });
    expect(
      await Promise.all(['a', 'a', 'b'].map((org) => reasonOf(narrow.run(org, SMALL)))),
    ).toEqual(['answered', 'org-full', 'answered']);
  });

  test('an org with many slow tasks has one thread, and another org the other one', async () => {
    const shared = thread();
    // Both threads are there before it is measured.
    await Promise.all([shared.run('a', SMALL), shared.run('b', SMALL)]);
    const slow = Promise.all([1, 2, 3].map(() => reasonOf(shared.run('a', LARGE))));
    for (let task = 0; task < 3; task++) expect(await shared.run('b', SMALL)).toBe('[]');
    // The three of the first org would have been answered by now if all tasks had one queue.
    await shared.stop();
    expect(await slow).toEqual(['stopped', 'stopped', 'stopped']);
  });

  test('on one thread the orgs take turns', async () => {
    const single = thread({ threads: 1 });
    const order: string[] = [];
    const asked = ['a', 'a', 'a', 'b', 'c', 'b'].map((org) =>
      single.run(org, SMALL).then(() => order.push(org)),
    );
    await Promise.all(asked);
    expect(order.join('')).toBe('aabcab');
  });

  test('what waited for longer than its caller does is given up', async () => {
    const impatient = thread({ taskMs: 600, waitMs: 300 });
    expect(
      await Promise.all([LARGE, SMALL].map((task) => reasonOf(impatient.run('a', task)))),
    ).toEqual(['too-long', 'waited']);
  });

  test('what waits when it is stopped is given up', async () => {
    const stopped = thread();
    const waiting = Promise.all([1, 2].map(() => reasonOf(stopped.run('a', SMALL))));
    await stopped.stop();
    expect(await waiting).toEqual(['stopped', 'stopped']);
  });

  test('a task that fails harms no other', async () => {
    const busy = thread();
    await expect(
      busy.run('a', { kind: 'validate', key: 'k', schema: '{"type":"objekt"}', value: '1' }),
    ).rejects.toThrow(TypeError);
    expect(await busy.run('a', SMALL)).toBe('[]');
  });
});

test.each([
  [
    'a plain schema',
    {
      type: 'object',
      properties: {
        a: { type: 'string', format: 'uuid' },
        b: { type: 'array', items: { type: 'integer' } },
      },
    },
    true,
  ],
  [
    'a pattern with counted classes',
    { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' },
    true,
  ],
  [
    'a thousand members',
    { properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, true])) },
    false,
  ],
  [
    'a few nested repetitions',
    { allOf: Array.from({ length: 5 }, () => ({ type: 'string', pattern: '(?:[a-z]{30}){30}' })) },
    false,
  ],
  [
    'a few repeated classes of Unicode',
    { allOf: Array.from({ length: 5 }, () => ({ type: 'string', pattern: '\\p{L}{900}' })) },
    false,
  ],
])('%s is told from what is light', (_name, schema, light) => {
  expect(schemaWeight(schema, 100) <= 100).toBe(light);
});
