import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { Client, ok, type Body } from '../../support/service/world.ts';

const api = useApi();

/** Takes seconds to compile, and each is another schema. */
const slowType = (name: string): Body => ({
  type: name,
  criteriaSchema: { type: 'object' },
  completionSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [
        `${name.replaceAll('-', '')}${at}`,
        { type: 'string', pattern: `[ab]*a[ab]{200}x${at}` },
      ]),
    ),
  },
});

/** Too heavy to be judged on the main thread, and judged in a moment. */
const HEAVY = {
  type: 'heavy',
  criteriaSchema: {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
      ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`p${at}`, { type: 'string' }])),
    },
  },
  completionSchema: {},
};

const newOrg = async (name: string): Promise<{ admin: Client; agent: Client }> => {
  const { platform } = api.world;
  const { id, bootstrapKey } = await ok(
    platform.post('/v1/admin/orgs', { name, bootstrapAdmin: true }),
  );
  const admin = new Client(platform.url, String((bootstrapKey as Body)['apiKey']));
  const agent = await ok(admin.post('/v1/admin/agents', { name: 'a', orgId: id }));
  const key = await ok(
    admin.post('/v1/admin/api-keys', { ownerId: agent['id'], ownerType: 'agent', role: 'agent' }),
  );
  return { admin, agent: new Client(platform.url, String(key['apiKey'])) };
};

describe('60 slow registrations of one org', () => {
  it('hold up neither the creates nor the registrations of another; beyond its share it is told to wait', async () => {
    const [loud, quiet] = [await newOrg('Loud'), await newOrg('Quiet')];
    // A machine that is very slow just then finds it too costly.
    await expect
      .poll(async () => (await quiet.admin.post('/v1/schemas', HEAVY)).status, { interval: 500 })
      .toBe(201);
    const criteria = { list: Array.from({ length: 2_000 }, (_, a) => ({ a })) };

    const create = () => ok(quiet.agent.post('/v1/records', { type: 'heavy', criteria }));
    await create();

    const bodies = Array.from({ length: 60 }, (_, at) => slowType(`slow-${at}`));
    const answers: { status: number; retryAfter: string | null; body: Body }[] = [];
    const flood = bodies.map(async (body) => {
      const answer = await loud.admin.post('/v1/schemas', body);
      answers.push({
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        body: answer.body,
      });
    });
    await expect.poll(() => answers.length).toBeGreaterThan(30);

    // Each of them lets the one before it that is under way come to its end, and does not wait for the others.
    const ended: number[] = [];
    // Those that were given up because they waited for too long held up nobody.
    const look = () =>
      ended.push(answers.filter(({ status }) => [201, 422].includes(status)).length);
    look();
    for (let round = 0; round < 5; round++) {
      await create();
      look();
    }
    await ok(quiet.admin.post('/v1/schemas', { ...HEAVY, type: 'heavy2' }));
    look();
    console.log(`slow registrations that ended meanwhile: ${ended.join(', ')}`);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(30);
    expect(ended.at(-1)).toBeLessThan((bodies.length - refused.length) / 2);
    for (const { retryAfter, body } of refused) {
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(body).toMatchObject({
        code: 'RATE_LIMITED',
        suggestion: expect.stringContaining('repeat'),
      });
    }
    await Promise.all(flood);
    // None of them is a fault of the service but for those that waited for too long.
    expect(answers.filter(({ status }) => ![201, 422, 429, 503].includes(status))).toEqual([]);
  });
});
