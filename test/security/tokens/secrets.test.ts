import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { RunningService } from '../../../config/service.ts';
import { useApi } from '../../support/service/api.ts';
import { databases, type TestDatabase } from '../../support/databases/databases.ts';
import { databasePath } from '../../support/databases/outbox.ts';
import { seeFolder, seeMysql } from '../../support/runner/secret-places.ts';
import { privateKeysOf, type Exchanged } from '../../support/runner/secret-sources.ts';
import { SecretWatch } from '../../support/runner/secret-watch.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import { createWorld, ok, openDecided, type World } from '../../support/service/world.ts';

/*
 * Every test file ends with a search for all secrets that it made or met, in every log line, answer, export, event and
 * table (test/support/runner/watch-secrets.ts), and fails where one is found. Here secrets are planted, each before a watch of
 * its own, to show that this search can fail.
 */

const SECRET = () => `svc_agt_${randomBytes(24).toString('hex')}x`;
const NO_HEADERS = new Headers();
const answer = (members: Partial<Exchanged>): Exchanged => ({
  method: 'GET',
  path: '/v1/records',
  requestHeaders: NO_HEADERS,
  requestBody: null,
  status: 200,
  headers: '',
  text: '',
  ...members,
});

/** What a watch that knows the secret finds in a text. */
const findIn = async (
  secret: string | Uint8Array,
  content: string | Uint8Array,
): Promise<readonly string[]> => {
  const watch = new SecretWatch();
  watch.learn('a secret', secret);
  watch.see('the place', content);
  return watch.findings();
};

describe('a secret is found', () => {
  const secret = randomBytes(48).toString('base64').replace(/..$/, '/+');
  const utf8 = Buffer.from(secret);
  it.each([
    ['utf-8', secret],
    ['hex', utf8.toString('hex')],
    ['HEX', utf8.toString('hex').toUpperCase()],
    ['base64', utf8.toString('base64')],
    ['base64url', utf8.toString('base64url')],
    ['base64', Buffer.from(`x${secret}`).toString('base64')],
    ['base64', Buffer.from(`xy${secret}`).toString('base64')],
    ['a URL', encodeURIComponent(secret)],
    ['JSON with escaped slashes', secret.replaceAll('/', '\\/')],
  ])('in %s, wherever in the text it stands', async (encoding, written) => {
    for (let before = 0; before < 17; before++)
      expect(
        (await findIn(secret, `${'-'.repeat(before)}${written}${'-'.repeat(3)}`)).join(),
      ).toContain(`a secret in ${encoding}`);
    expect((await findIn(secret, written)).join()).toContain('in the place');
  });

  it.each(['bytes', 'hex', 'base64', 'base64url'])('in bytes, written as %s', async (encoding) => {
    const key = randomBytes(32);
    const written =
      encoding === 'bytes' ? key : Buffer.from(key.toString(encoding as BufferEncoding));
    for (let before = 0; before < 17; before++)
      expect(
        (await findIn(key, Buffer.concat([Buffer.alloc(before), written, Buffer.alloc(5)]))).join(),
      ).toContain(`a secret in ${encoding}`);
  });

  it('among a thousand others, by its own kind, which is all that is told of it', async () => {
    const watch = new SecretWatch();
    const others = Array.from({ length: 1000 }, SECRET);
    for (const [n, value] of others.entries()) watch.learn(`secret ${n}`, value);
    watch.see('the haystack', `${randomBytes(1_000_000).toString('base64')}${others[617]}`);
    expect(await watch.findings()).toEqual(['secret 617 in utf-8, in the haystack']);
  });

  it('where it came out before it was known', async () => {
    const watch = new SecretWatch();
    const late = SECRET();
    watch.see('an early line', late);
    watch.learn('a late secret', late);
    expect(await watch.findings()).toEqual(['a late secret in utf-8, in an early line']);
  });

  it('and no other text is: neither one that ends otherwise nor half of it', async () => {
    const one = SECRET();
    expect(
      await findIn(one, `${one.slice(0, -1)}y ${one.slice(20)} ${one.slice(0, 40)} ${SECRET()}`),
    ).toEqual([]);
  });
});

describe('an answer', () => {
  const shown = (text: string, path = '/v1/admin/api-keys'): Exchanged =>
    answer({ method: 'POST', path, status: 201, text });

  it('may show the secret that it is there to show, in its place and once', async () => {
    const watch = new SecretWatch();
    watch.answer(shown(JSON.stringify({ apiKey: SECRET() })));
    expect(await watch.findings()).toEqual([]);
  });

  it.each([
    [
      'twice in one answer',
      (key: string) => [shown(JSON.stringify({ apiKey: key, hint: `keep ${key}` }))],
    ],
    [
      'again in a repeated answer',
      (key: string) => [
        shown(JSON.stringify({ apiKey: key })),
        shown(JSON.stringify({ apiKey: key })),
      ],
    ],
    [
      'in an answer that is not there for it',
      (key: string) => [
        shown(JSON.stringify({ apiKey: key })),
        answer({ text: JSON.stringify({ key }) }),
      ],
    ],
    [
      'in a refusal',
      (key: string) => [
        answer({
          status: 401,
          text: `no such key: ${key}`,
          requestHeaders: new Headers({ authorization: `Bearer ${key}` }),
        }),
      ],
    ],
    [
      'in a header',
      (key: string) => [
        answer({
          headers: `link: ${key}`,
          requestHeaders: new Headers({ authorization: `Bearer ${key}` }),
        }),
      ],
    ],
    [
      'as the token of an exchange',
      (token: string) => [
        answer({
          method: 'POST',
          path: '/v1/auth/oidc/cert',
          status: 401,
          text: token,
          requestBody: JSON.stringify({ oidcToken: token }),
        }),
      ],
    ],
  ])('must not show it %s', async (_where, answers) => {
    const watch = new SecretWatch();
    for (const one of answers(SECRET())) watch.answer(one);
    expect(await watch.findings()).toHaveLength(1);
  });
});

describe('in the running service, a secret that is planted', () => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-secrets-'));
  const watch = new SecretWatch();
  const planted = { inLog: SECRET(), inTable: SECRET(), inExport: SECRET() };
  const api = useApi();
  let service: RunningService;
  let world: World;
  let found: string;

  beforeAll(async () => {
    const settings = settingsIn(directory);
    service = await startWatched(settings, watch);
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
    for (const [place, value] of Object.entries(planted)) watch.learn(place, value);
    const pepper = service.container.get(TOKENS.secrets).pepper[0]!;
    const [privateKey] = privateKeysOf(
      await service.container.get(TOKENS.sealedKeys).load(),
      service.container.get(TOKENS.secrets).signerKek,
    );

    service.container
      .get(TOKENS.log)
      .info(
        { note: `the key was ${planted.inLog}`, pepper: Buffer.from(pepper).toString('base64') },
        'planted',
      );
    const { id } = await openDecided(world, 'accept', { criteria: { goal: planted.inExport } });
    const path = `/v1/records/${id}/audit-export`;
    watch.answer(
      answer({ path, text: JSON.stringify(await ok(world.principal.client.get(path))) }),
    );
    const database = new DatabaseSync(databasePath({ service }));
    database
      .prepare('UPDATE agents SET display_name = ? WHERE id = ?')
      .run(planted.inTable, Buffer.from(world.principal.id.replaceAll('-', ''), 'hex'));
    database
      .prepare('UPDATE outbox SET data = ? WHERE rowid = (SELECT min(rowid) FROM outbox)')
      .run(JSON.stringify({ privateKey: Buffer.from(privateKey!).toString('hex') }));
    database.close();
    await service.stop();
    found = (await watch.findings()).join('\n');
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each([
    ['a log line', 'inLog in utf-8, in a log line'],
    ['a log line, encoded', 'API_KEY_PEPPER in base64 after 0, in a log line'],
    ['an export', 'inExport in utf-8, in an answer 200 to GET /v1/records/'],
    ['a table', 'inTable in utf-8, in the table agents'],
    ['the file of the database', 'inTable in utf-8, in the file '],
    ['an event', 'a private signing key in hex, in the table outbox'],
  ])('is found in %s', (_place, finding) => expect(found).toContain(finding));

  it('is named by its kind and its place alone', () => {
    for (const value of Object.values(planted)) expect(found).not.toContain(value);
  });

  it('is all that is found: without it, nothing is', async () => {
    const clean = new SecretWatch();
    clean.learn('an API key', String(api.world.platform.key));
    clean.learn(
      'API_KEY_PEPPER',
      readFileSync(join(api.service.settings.KEYS_DIR, 'api-key-pepper'), 'utf8').trim(),
    );
    await seeFolder(clean, api.service.settings.DATA_DIR);
    expect(await clean.findings()).toEqual([]);
  });
});

const mysql = databases().find(({ name }) => name === 'mysql');

describe.skipIf(!mysql)('on MySQL', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await mysql!.open();
  });
  afterEach(() => database?.drop());

  it('a secret that is planted in a table is found', async () => {
    const secret = SECRET();
    await database.raw('CREATE TABLE planted (note VARCHAR(200))');
    await database.raw(`INSERT INTO planted VALUES ('as ${secret}')`);
    const watch = new SecretWatch();
    watch.learn('a secret', secret);
    await seeMysql(watch, (sql) => database.raw(sql));
    expect(await watch.findings()).toEqual(['a secret in utf-8, in the table planted']);
  });
});
