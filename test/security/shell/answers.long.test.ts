import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FlakyService,
  json,
  problem,
  type SeenRequest,
} from '../../support/peers/flaky-service.ts';
import { ServiceProcess } from '../../support/service/service-process.ts';
import { ShellHome } from '../../support/service/shell-home.ts';
import { createWorld, ok, type Body, type World } from '../../support/service/world.ts';

/** Whoever answers a shell in the place of its service: what it says is true somewhere else, or leads elsewhere. */
const service = new ServiceProcess();
const home = new ShellHome();
let world: World;
let between: FlakyService;
let [mine, other] = ['', ''];

beforeAll(async () => {
  const first = await service.bootstrap();
  await service.start();
  world = await createWorld(service.url, first.apiKey);
  between = await FlakyService.open();
  pass();
  await home.json(['init', between.url, '--context', 'agent', '--key-stdin'], {
    input: String(world.principal.client.key),
  });
  [mine, other] = [await opened(), await opened()];
});
afterAll(async () => {
  await between.stop();
  await service.stop();
  home.end();
});
beforeEach(() => {
  pass();
  between.seen.length = 0;
});

const opened = async (): Promise<string> =>
  String(
    (
      await ok(
        world.principal.client.post('/v1/records', {
          type: 'job',
          criteria: { goal: 'x' },
          performerAgentId: world.performer.id,
        }),
      )
    )['id'],
  );

const send = async (response: ServerResponse, request: SeenRequest): Promise<void> => {
  const answer = await FlakyService.forward(service.url, request);
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
  });
  response.end(Buffer.from(await answer.arrayBuffer()));
};

/** Everything is as the service says, but for what this changes of the question or the answer. */
const pass = (
  change: (request: SeenRequest) => SeenRequest = (request) => request,
  answer?: (body: Body) => Body,
): void => {
  between.behave = async (response, _count, request) => {
    if (!answer || !request.path.startsWith('/v1/records')) return send(response, change(request));
    const given = await FlakyService.forward(service.url, change(request));
    json(response, given.status, answer((await given.json()) as Body));
  };
};

/** Whatever is asked of the one record is answered of the other. */
const swapped = (request: SeenRequest): SeenRequest => ({
  ...request,
  path: request.path.replace(mine, other),
});

describe('the export of another record, which is as true,', () => {
  it.each([[['verify']], [['show']], [['verify', '--json']], [['show', '--json']]])(
    'is not taken for the one that was asked for: %j',
    async ([command, ...flags]) => {
      expect((await home.run([command!, mine, ...flags])).code).toBe(0);
      pass(swapped);
      const { code, stdout, stderr } = await home.run([command!, mine, ...flags]);
      expect([code, stdout + stderr]).toEqual([
        2,
        expect.stringContaining(`not with the export of ${mine}`),
      ]);
      expect(stdout).not.toMatch(/VALID|"valid"/);
    },
  );

  it.each([[[]], [['--html']]])('is not written into a file: %j', async (flags) => {
    const out = join(home.directory, 'kept');
    pass(swapped);
    const { code, stderr } = await home.run(['export', mine, '--out', out, ...flags]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`and not with that of ${mine}`)]);
    expect(existsSync(out)).toBe(false);
    between.behave = (response) => json(response, 200, ['no export']);
    expect((await home.run(['export', mine, '--out', out, ...flags])).stderr).toContain(
      'answered with no export',
    );
    pass();
    expect((await home.run(['export', mine, '--out', out, ...flags])).code).toBe(0);
    rmSync(out);
  });

  it('is none of several either, one of which is the one that was asked for', async () => {
    const tree = await ok(
      world.principal.client.get(`/v1/records/${other}/audit-export?subtree=true`),
    );
    const own = await ok(world.principal.client.get(`/v1/records/${mine}/audit-export`));
    between.behave = (response) => json(response, 200, { ...own, ...tree });
    const { code, stdout } = await home.run(['verify', mine]);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('is not told by --watch', async () => {
    pass(swapped);
    const { code, stdout, stderr } = await home.run(['show', mine, '--watch']);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining('not with the export of'),
    ]);
  });

  it('is not verified in the place of a record, where a file or folder has its id as its name', async () => {
    const folder = join(home.directory, mine);
    mkdirSync(folder);
    try {
      home.file(
        `${mine}/a.json`,
        await ok(world.principal.client.get(`/v1/records/${other}/audit-export`)),
      );
      const report = await home.json(['verify', mine]);
      expect(report).toMatchObject({ verdict: 'valid', subject: { chainKey: mine } });
    } finally {
      rmSync(folder, { recursive: true });
    }
    const file = home.file(
      mine,
      await ok(world.principal.client.get(`/v1/records/${other}/audit-export`)),
    );
    const theirs = home.file('theirs.json', '{}');
    const { stdout } = await home.run(['verify', mine, '--with', theirs, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ subject: { chainKey: mine } });
    rmSync(file);
  });
});

describe('what was notarized', () => {
  const note = (): readonly string[] => ['notarize', '-t', 'note', home.file('n.json', { n: 1 })];

  it('is not verified where something else was sealed in its place', async () => {
    expect((await home.run(note())).stdout).toContain('verified  signed by');
    pass((request) => ({ ...request, body: request.body.replace('"n":1', '"n":2') }));
    const { code, stdout } = await home.run(note());
    expect([code, stdout]).toEqual([1, expect.stringMatching(/NOT VERIFIED.*not what was sent/)]);
  });

  it('is not verified where an older record is answered', async () => {
    const before = await ok(
      world.principal.client.post('/v1/records', { type: 'note', criteria: { n: 7 } }),
    );
    between.behave = (response, _count, request) =>
      request.method === 'POST' ? json(response, 201, before) : send(response, request);
    const { code, stdout } = await home.run(note());
    expect([code, stdout]).toEqual([1, expect.stringMatching(/NOT VERIFIED/)]);
  });

  it('is sealed once, where no answer came and the command is run again as it says', async () => {
    const count = async (): Promise<number> =>
      Number((await home.json(['list', '-t', 'note', '--limit', '100']))['total']);
    const before = await count();
    between.behave = async (response, _count, request) => {
      await FlakyService.forward(service.url, request);
      response.destroy();
    };
    const { code, stderr } = await home.run(note());
    expect(code).toBe(4);
    const [, key] = /add: (--idempotency-key \w+)/.exec(stderr) ?? [];
    pass();
    await home.json([...note(), ...String(key).split(' ')]);
    expect(await count()).toBe(before + 1);
  });
});

describe('an answer about another record', () => {
  it.each([
    ['act', ['act', '=', 'cancel']],
    ['verdict', ['verdict', '=', 'accept']],
  ])('is not told as that of the one that was meant: %s', async (_what, args) => {
    pass(undefined, (body) => ({ ...body, id: other }));
    const { code, stdout, stderr } = await home.run(args.map((one) => (one === '=' ? mine : one)));
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining(`not about the record ${mine}`),
    ]);
    expect(between.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each([
    ['another act', (id: string) => `/v1/records/${id}/accept`],
    ['another record', () => `/v1/records/${other}/cancel`],
    ['another place', () => '/v1/auth/keys/rotate'],
    ['a place above', (id: string) => `/v1/records/${id}/../${other}/cancel`],
  ])('leads no act to %s', async (_what, hrefOf) => {
    pass(undefined, (body) => ({
      ...body,
      nextSteps: [{ action: 'cancel', method: 'POST', href: hrefOf(mine), description: '' }],
    }));
    const { code, stderr } = await home.run(['act', mine, 'cancel']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('nothing was sent')]);
    expect(between.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  it('puts nothing into a command that is there to be copied', async () => {
    const steps = ['$(id>x)', '`id`', 'accept --context prod', '; rm -r x'].map((action) => ({
      action,
      method: 'POST',
      href: `/v1/records/${mine}/accept`,
      description: 'do it',
    }));
    between.behave = async (response, _count, request) => {
      if (request.path.includes('audit-export')) return send(response, request);
      const body = (await (await FlakyService.forward(service.url, request)).json()) as Body;
      json(response, 200, { ...body, nextSteps: steps });
    };
    const { code, stdout } = await home.run(['show', mine]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('VALID')]);
    expect(stdout).not.toContain('Next:');
  });
});

describe('an answer that is none', () => {
  it('takes no other context out of the profile', async () => {
    const before = readFileSync(home.profilePath, 'utf8');
    for (const change of [{ role: 'x y' }, { role: 5 }, { orgId: { a: 1 } }, { ownerId: 5 }]) {
      between.behave = async (response, _count, request) => {
        if (request.path !== '/v1/auth/me') return send(response, request);
        const body = (await (await FlakyService.forward(service.url, request)).json()) as Body;
        json(response, 200, { ...body, ...change });
      };
      const { code, stderr } = await home.run(
        ['init', between.url, '--context', 'again', '--key-stdin'],
        { input: String(world.performer.client.key) },
      );
      expect([change, code, stderr]).toEqual([
        change,
        1,
        expect.stringContaining('nothing of it is kept'),
      ]);
      expect(readFileSync(home.profilePath, 'utf8')).toBe(before);
    }
    expect(existsSync(`${home.profilePath}.lock`)).toBe(false);
  });

  it.each<[string, object]>([
    ['that fills the terminal', { detail: 'x'.repeat(5_000_000) }],
    ['whose errors are none', { errors: [null, 5, { path: {}, message: [] }], suggestion: 5 }],
  ])('%s ends in a short sentence', async (_what, changes) => {
    between.behave = (response) => problem(response, 422, 'INVALID_ACTION', {}, changes);
    const { code, stderr } = await home.run(['list']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^notary: /)]);
    expect(stderr.length).toBeLessThan(10_000);
  });
});
