import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { quickDatabases, type TestDatabase } from '../support/databases/databases.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { NO_LIMITS } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { createWorld, GOAL, ok, openJob, type Body, type World } from '../support/service/world.ts';

describe.each(quickDatabases())('on $name', (kind) => {
  let database: TestDatabase;
  let service: RunningService;
  let world: World;
  beforeAll(async () => {
    database = await kind.open({ migrated: false });
    const { settings } = loadSettings(
      { NODE_ENV: 'test', PORT: '0', DATABASE_URL: database.url, ...freshSecrets(), ...NO_LIMITS },
      { cwd: '/' },
    );
    service = await startWatched(settings);
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  const CONTROLS: readonly [string, string][] = [
    ['%00', 'U+0000 NULL (character 1)'],
    ['a%00b', 'U+0000 NULL (character 2)'],
    ['a%0Ab', 'U+000A LINE FEED (character 2)'],
    ['%C2%85', 'U+0085 a control character (character 1)'],
  ];

  it.each(CONTROLS)('400 names %s in any parameter of a query', async (text, named) => {
    for (const [path, name] of [
      ['/v1/records', 'q'],
      ['/v1/records', 'type'],
      ['/v1/records', 'publisher'],
      ['/v1/records', 'platform'],
      ['/v1/records', 'platformRef'],
      ['/v1/records', 'cursor'],
      ['/v1/records', 'principalAgentId'],
      ['/v1/schemas', 'cursor'],
      ['/v1/admin/agents', 'name'],
      ['/v1/admin/api-keys', 'ownerId'],
      ['/v1/disputes', 'recordId'],
    ] as const) {
      const answer = await world.admin.get(`${path}?${name}=${text}`);
      expectProblem(answer, 400, 'VALIDATION_ERROR', {
        detail: `The query parameter "${name}" holds ${named}.`,
        errors: [{ path: `/${name}`, keyword: 'characters', message: `must not hold ${named}` }],
      });
    }
  });

  it.each(CONTROLS)('400 names %s in any parameter of a path', async (text, named) => {
    for (const [path, name] of [
      [`/v1/records/${text}`, 'id'],
      [`/v1/schemas/${text}`, 'type'],
      [`/v1/agents/${text}`, 'agentId'],
      [`/problems/${text}`, 'slug'],
    ] as const) {
      const { status, body } = await world.admin.get(path);
      expect({ path, status, detail: body['detail'] }).toEqual({
        path,
        status: 400,
        detail: `The parameter ${name} of the path holds ${named}.`,
      });
    }
  });

  it('other unusual characters match what they match, and are never a fault', async () => {
    for (const text of [
      '\uffff',
      '\u{10ffff}',
      '\ud7ff',
      '\ue000',
      '😀',
      '%',
      '_',
      '\\',
      "'",
      '"',
      'ﬀ',
      '\u202e',
    ])
      for (const name of ['q', 'platformRef', 'type', 'publisher', 'platform']) {
        const answer = await world.admin.get(`/v1/records?${name}=${encodeURIComponent(text)}`);
        expect({ text, name, status: answer.status, total: answer.body['total'] }).toEqual({
          text,
          name,
          status: 200,
          total: 0,
        });
      }
  });

  it('a header with bytes beyond ASCII is no fault', async () => {
    for (const name of ['idempotency-key', 'if-match', 'if-none-match', 'x-request-id', 'accept'])
      for (const value of ['\u0080', '\u00ff', 'a\tb', '"\u00e9"']) {
        const { status } = await world.principal.client.post(
          '/v1/records',
          { type: 'note', criteria: {} },
          { [name]: value },
        );
        expect({ name, value, isFault: status >= 500 }).toEqual({ name, value, isFault: false });
      }
  });

  it('content that records hold is kept as it is, whatever is in it', async () => {
    const criteria = { text: 'a\u0000b\u202ec', '\u0000': '\u2066' };
    const { id } = await ok(world.principal.client.post('/v1/records', { type: 'note', criteria }));
    expect((await ok(world.principal.client.get(`/v1/records/${String(id)}`)))['criteria']).toEqual(
      criteria,
    );
  });

  describe('a name', () => {
    const names: readonly (readonly [
      string,
      (text: string) => Promise<readonly [string, string, Body]>,
    ])[] = [
      ['of an org', async (name) => ['/v1/admin/orgs', '/name', { name }]],
      ['of an agent', async (name) => ['/v1/admin/agents', '/name', { name, orgId: world.orgId }]],
      [
        'that an agent shows',
        async (displayName) => [
          '/v1/admin/agents',
          '/displayName',
          { name: 'a', displayName, orgId: world.orgId },
        ],
      ],
      [
        'of a key',
        async (label) => [
          '/v1/admin/api-keys',
          '/label',
          { role: 'agent', ownerType: 'agent', ownerId: world.principal.id, label },
        ],
      ],
      [
        'of a type',
        async (title) => [
          `/v1/schemas?orgId=${world.orgId}`,
          '/title',
          { type: 'titled', completionSchema: {}, title },
        ],
      ],
      [
        'of a gate',
        async (id) => [
          `/v1/schemas?orgId=${world.orgId}`,
          '/gates/0/id',
          {
            type: 'gated',
            completionSchema: { type: 'object' },
            gates: [{ id, expression: 'true' }],
          },
        ],
      ],
      [
        'of a platform',
        async (platform) => ['/v1/records', '/platform', { type: 'note', criteria: {}, platform }],
      ],
      [
        'that a platform gives a record',
        async (platformRef) => [
          '/v1/records',
          '/platformRef',
          { type: 'note', criteria: {}, platformRef },
        ],
      ],
      [
        'of a kind of reference',
        async (kind) => [
          '/v1/records',
          '/references/0/kind',
          { type: 'note', criteria: {}, references: [{ kind, uri: 'urn:isbn:1' }] },
        ],
      ],
      [
        'of a reference',
        async (label) => [
          '/v1/records',
          '/references/0/label',
          { type: 'note', criteria: {}, references: [{ kind: 'k', uri: 'urn:isbn:1', label }] },
        ],
      ],
    ];

    it.each(names)(
      '%s holds no control, invisible or bidirectional character',
      async (_what, made) => {
        for (const [text, named] of [
          ['a\u0000', 'U+0000 NULL (character 2)'],
          ['a\nb', 'U+000A LINE FEED (character 2)'],
          ['a\u001b[2J', 'U+001B ESCAPE (character 2)'],
          ['pay\u202egnp', 'U+202E RIGHT-TO-LEFT OVERRIDE (character 4)'],
          ['a\u2066b', 'U+2066 LEFT-TO-RIGHT ISOLATE (character 2)'],
          ['a\ufeff', 'U+FEFF ZERO WIDTH NO-BREAK SPACE (character 2)'],
          ['a\u200db', 'U+200D ZERO WIDTH JOINER (character 2)'],
          ['a\u2063b', 'U+2063 an invisible character (character 2)'],
          ['a\u00a0b', 'U+00A0 NO-BREAK SPACE (character 2)'],
          ['a\ufe0f', 'U+FE0F VARIATION SELECTOR-16 (character 2)'],
          ['a\u{e0100}', 'U+E0100 an invisible character (character 2)'],
          ['a\ue000', 'U+E000 an invisible character (character 2)'],
          ['a\u3164', 'U+3164 HANGUL FILLER (character 2)'],
        ] as const) {
          const [path, pointer, body] = await made(text);
          const answer = await world.platform.post(path, body);
          const problem = expectProblem(answer, 400, 'VALIDATION_ERROR');
          const message = `must not hold ${named}: a name is one line without control, invisible or bidirectional characters`;
          expect(problem['errors']).toEqual([{ path: pointer, keyword: 'characters', message }]);
          expect(problem['detail']).toBe(`The body is not valid: ${pointer} ${message}.`);
        }
      },
    );
  });

  it('a text may have several lines, and nothing that turns its direction', async () => {
    const create = (message: string) =>
      world.principal.client.post('/v1/records', {
        type: 'job',
        criteria: GOAL,
        performerAgentId: world.performer.id,
        message,
      });
    const lines = 'first\n\tsecond \u200fשלום\u200f 12';
    expect((await ok(create(lines)))['message']).toBe(lines);
    for (const [text, named] of [
      ['a\u0000', 'U+0000 NULL (character 2)'],
      ['a\u202e', 'U+202E RIGHT-TO-LEFT OVERRIDE (character 2)'],
    ] as const)
      expectProblem(await create(text), 400, 'VALIDATION_ERROR', {
        errors: [
          {
            path: '/message',
            keyword: 'characters',
            message: `must not hold ${named}: a text has no control characters but tabs and line breaks, and none that turns its direction`,
          },
        ],
      });
    const { id } = await openJob(world);
    for (const [path, body] of [
      [`/v1/records/${String(id)}/transition`, { action: 'cancel', reason: '\u0007' }],
      [`/v1/admin/agents/${world.performer.id}/deactivate`, { reason: '\u0007' }],
      ['/v1/schemas', { type: 'described', completionSchema: {}, description: '\u0007' }],
    ] as const)
      expect((await world.admin.post(path, body)).status, path).toBe(400);
  });
});
