import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlattenedEncrypt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PinoLog } from '../../../adapters/system/pino-log.ts';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import { startService, type RunningService } from '../../../config/service.ts';
import {
  createEncryptedWorld,
  type EncryptedWorld,
} from '../../support/stories/encrypted-world.ts';
import { encryptTo } from '../../support/vectors/jwe.ts';
import { findTraces, storedBytes, tracesOf } from '../../support/clients/traces.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import {
  createWorld,
  ok,
  type Answer,
  type Body,
  type Client,
  type World,
} from '../../support/service/world.ts';

const directory = mkdtempSync(join(tmpdir(), 'notary-plaintext-'));
const lines: string[] = [];
const answers: string[] = [];
const canaries: string[] = [];
let service: RunningService;
let world: World;
let sealed: EncryptedWorld;

beforeAll(async () => {
  const settings = settingsIn(directory);
  service = await startService(
    settings,
    new PinoLog('debug', { write: (line: string) => void lines.push(line) }),
  );
  const { apiKey } = await service.container.get(BootstrapPlatform).execute();
  world = await createWorld(String(service.url), apiKey);
  sealed = await createEncryptedWorld(world);
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** 24 random bytes: where they are found, they were not by chance. */
const canary = (): string => {
  const text = `canary-${randomBytes(24).toString('hex')}`;
  canaries.push(text);
  return text;
};

const call = async (
  client: Client,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> => {
  const answer = await client.call<Body>(
    method,
    path,
    body,
    method === 'POST' ? { 'idempotency-key': randomBytes(8).toString('hex') } : {},
  );
  answers.push(JSON.stringify([answer.body, [...answer.headers]]));
  return answer;
};
const post = (client: Client, path: string, body: unknown) => call(client, 'POST', path, body);
const everythingWritten = (): ReadonlyMap<string, Buffer> => {
  const data = join(directory, 'data');
  const database = readdirSync(data).find((name) => /\.(db|sqlite3?)$/.test(name));
  return new Map([
    ...storedBytes(directory, join(data, String(database))),
    ['log', Buffer.from(lines.join('\n'))],
    ['answers', Buffer.from(answers.join('\n'))],
  ]);
};

/** A whole story in ciphertext: proposal, counter-proposal, two completions, verdict, dispute. */
const playInCiphertext = async (): Promise<string> => {
  const { principal, performer, encrypt } = sealed;
  const record = await ok(
    post(principal.client, '/v1/records', {
      type: 'sealed-job',
      criteria: await encrypt({ goal: canary() }),
      performerAgentId: performer.id,
    }),
  );
  const path = `/v1/records/${String(record['id'])}`;
  await ok(
    post(performer.client, `${path}/counter-propose`, {
      criteria: await encrypt({ goal: canary() }, { enc: 'A256CBC-HS512' }),
    }),
  );
  await ok(post(principal.client, `${path}/accept-counter`, {}));
  await ok(
    post(performer.client, `${path}/completions`, {
      evidence: await encrypt({ score: 1, log: canary() }),
    }),
  );
  await ok(post(principal.client, `${path}/revision`, {}));
  const completion = await ok(
    post(performer.client, `${path}/completions`, {
      evidence: await encrypt({ score: 9, log: canary() }),
    }),
  );
  await ok(
    post(principal.client, `${path}/verdict`, {
      verdict: 'reject',
      completionId: completion['id'],
      gateResults: [{ gateId: 'score', outcome: 'fail' }],
    }),
  );
  await ok(
    post(performer.client, `${path}/dispute`, { evidence: await encrypt({ text: canary() }) }),
  );
  return path;
};

/** What somebody who forgot to encrypt would send, to every place that takes content. */
const postByMistake = async (path: string): Promise<void> => {
  const { principal, performer, encrypt } = sealed;
  const plain = () => ({ goal: canary(), [canary()]: { nested: [canary()] } });
  const open = async () =>
    `/v1/records/${String((await ok(post(principal.client, '/v1/records', { type: 'sealed-job', criteria: await encrypt({}), performerAgentId: performer.id })))['id'])}`;
  const active = async () => {
    const id = await open();
    await ok(post(performer.client, `${id}/accept`, {}));
    return id;
  };
  const jwe = await encrypt({});
  const [first, ...others] = jwe['recipients'] as Body[];
  const flattened = await new FlattenedEncrypt(new TextEncoder().encode(canary()))
    .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: principal.key.kid })
    .encrypt(principal.key.publicKey);
  const contents: unknown[] = [
    plain(),
    canary(),
    [canary()],
    flattened,
    { ...flattened, note: canary() },
    { ...jwe, [canary()]: canary() },
    { ...jwe, ciphertext: `${canary()}!` },
    { ...jwe, protected: canary() },
    { ...jwe, unprotected: { note: canary() } },
    {
      ...jwe,
      recipients: [
        { ...first, header: { ...first!['header'], kid: canary(), [canary()]: 1 } },
        ...others,
      ],
    },
    {
      ...jwe,
      recipients: [
        {
          ...first,
          header: { ...first!['header'], epk: canary(), alg: canary(), cty: `${canary()} text` },
        },
        ...others,
      ],
    },
    { ...jwe, recipients: canary() },
  ];
  for (const criteria of contents)
    expect([400, 422]).toContain(
      (
        await post(principal.client, '/v1/records', {
          type: 'sealed-job',
          criteria,
          performerAgentId: performer.id,
        })
      ).status,
    );
  for (const criteria of contents)
    expect([400, 422]).toContain(
      (await post(principal.client, '/v1/records', { type: 'sealed-note', criteria })).status,
    );
  await ok(
    post(
      principal.client,
      '/v1/records/bulk',
      contents.map((criteria) => ({ type: 'sealed-job', criteria })),
    ),
  );
  const [proposed, pending] = [await open(), await active()];
  for (const criteria of contents)
    expect([400, 422]).toContain(
      (await post(performer.client, `${proposed}/counter-propose`, { criteria })).status,
    );
  for (const criteria of contents)
    expect([400, 422]).toContain(
      (
        await post(performer.client, `${proposed}/transition`, {
          action: 'counter-propose',
          criteria,
        })
      ).status,
    );
  for (const evidence of contents)
    expect([400, 422]).toContain(
      (await post(performer.client, `${pending}/completions`, { evidence })).status,
    );
  for (const content of contents)
    expect([200, 400]).toContain(
      (
        await post(world.admin, '/v1/schemas/sealed-job/validate', {
          criteria: content,
          evidence: content,
        })
      ).status,
    );
  for (const evidence of contents)
    expect([400, 422]).toContain(
      (await post(principal.client, `${path}/dispute/evidence`, { evidence })).status,
    );
  // In a state, and on a side, where nothing is taken; under a name that is none; cut off.
  expect((await post(performer.client, `${path}/completions`, { evidence: plain() })).status).toBe(
    422,
  );
  expect(
    (await post(principal.client, `${proposed}/completions`, { evidence: plain() })).status,
  ).toBeGreaterThanOrEqual(400);
  expect(
    (
      await post(principal.client, '/v1/records', {
        type: 'sealed-job',
        criteria: jwe,
        performerAgentId: canary(),
      })
    ).status,
  ).toBe(400);
  expect(
    (
      await post(
        principal.client,
        '/v1/records',
        `{"type":"sealed-job","criteria":{"goal":"${canary()}`,
      )
    ).status,
  ).toBe(400);
  expect(
    (
      await post(
        principal.client,
        '/v1/records',
        `{"type":"sealed-job","criteria":{"goal":"${canary()}","goal":"${canary()}"}}`,
      )
    ).status,
  ).toBe(400);
  expect(
    (
      await post(principal.client, '/v1/records', {
        type: 'sealed-job',
        criteria: await encryptTo([performer.key], { goal: canary() }),
        performerAgentId: performer.id,
      })
    ).status,
  ).toBe(422);
};

it('a text is found in each of the encodings, wherever it stands', () => {
  const text = 'canary-0123456789abcdef?>~';
  for (const before of ['', 'a', 'ab', 'abc']) {
    const around = Buffer.from(`${before}${text}xyz`);
    for (const written of [
      around,
      Buffer.from(around.toString('utf8'), 'utf16le'),
      Buffer.from(around.toString('utf8'), 'utf16le').swap16(),
      ...(['hex', 'base64', 'base64url'] as const).map((encoding) =>
        Buffer.from(around.toString(encoding)),
      ),
    ])
      expect(findTraces([text], new Map([['place', written]]))).not.toEqual([]);
  }
  expect(tracesOf(text).every(({ bytes }) => bytes.length >= text.length)).toBe(true);
});

it('no database file, log line, event, answer or export holds anything of the plaintext', async () => {
  const path = await playInCiphertext();
  await postByMistake(path);
  for (const client of [sealed.principal.client, sealed.performer.client, world.admin])
    for (const suffix of ['', '/audit-export?evidence=true', '/gate-status'])
      await ok(call(client, 'GET', `${path}${suffix}`));
  await ok(call(sealed.performer.client, 'GET', '/v1/records'));

  // What was said in the clear is found in all these places, so the search is no empty one.
  const marker = `marker-${randomBytes(24).toString('hex')}`;
  await ok(
    post(sealed.principal.client, '/v1/records', {
      type: 'sealed-note',
      criteria: await encryptTo([sealed.principal.key], {}),
      platformRef: marker,
    }),
  );
  const written = everythingWritten();
  const found = findTraces([marker], written).join('\n');
  for (const place of [
    'utf-8 in table records',
    'utf-8 in table outbox',
    'utf-8 in answers',
    `utf-8 in ${directory}`,
  ])
    expect(found).toContain(place);
  expect(lines.length).toBeGreaterThan(100);
  expect(canaries.length).toBeGreaterThan(20);
  expect(findTraces(canaries, written)).toEqual([]);
});
