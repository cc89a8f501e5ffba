import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, readStored, verifyExports } from '../support/databases/stored-chains.ts';
import { Client, createWorld, ok, type Body, type World } from '../support/service/world.ts';

const ROTATE = '/v1/admin/vault/signing-keys/rotate';
/** More than a rotation has: it ends when one comes to its end. */
const MOST = 200;
/** Every statement in a full run, else each tenth. */
const STEP = Number(process.env['NOTARY_KILL_ROUNDS'] ?? 3) >= 20 ? 1 : 10;

describe.each(databases())('on $name, a rotation that is killed by SIGKILL', (kind) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let other: ServiceProcess;
  let world: World;
  let fingerprint: string;
  let killFile: string;

  beforeEach(async () => {
    database = await kind.open({ migrated: false });
    const env = {
      DATABASE_URL: database.url,
      // One round at the start and none by the clock: what is counted is the rotation.
      CHECKPOINT_INTERVAL: '1440',
      ANCHOR_INTERVAL: '2880',
      ...freshSecrets(),
    };
    other = new ServiceProcess({ ...env, ROLE: 'api' });
    killFile = join(other.directory, 'kill');
    service = new ServiceProcess(
      {
        ...env,
        KILL_FILE: killFile,
        NODE_OPTIONS: `--import=${resolve('test/support/attackers/kill-at-statement.mjs')}`,
      },
      other.directory,
    );
    mkdirSync(other.directory, { recursive: true });
    const first = await service.bootstrap();
    fingerprint = first.signingKeyFingerprint;
    await service.start();
    world = await createWorld(service.url, first.apiKey);
    await other.start();
  });
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await other?.stop('SIGKILL');
    await database?.drop();
    rmSync(other.directory, { recursive: true, force: true });
  });

  const at = (client: Client, url: string): Client => new Client(url, client.key);
  const note = (url: string): Promise<Body> =>
    ok(
      at(world.principal.client, url).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );
  const activeKeys = async (url: string): Promise<readonly string[]> => {
    const listed = await ok(new Client(url, null).get('/v1/verification-keys'));
    return (listed['data'] as Body[])
      .filter(({ status }) => status === 'active')
      .map(({ keyId }) => String(keyId));
  };
  /** The lease of a process that died ends after a minute. */
  const aMinuteLater = (): Promise<unknown> =>
    database.raw(
      "UPDATE jobs SET holder = NULL, lease_until = 0 WHERE name = 'rotate-signing-key'",
    );

  it('before its statements is whole or undone, while another node writes, and can be asked again', async () => {
    const died: string[] = [];
    const keys = new Set<string>(await activeKeys(service.url));
    const records: string[] = [];
    for (let n = 1; ; n += STEP) {
      expect(n).toBeLessThan(MOST);
      const [before] = await activeKeys(service.url);
      writeFileSync(killFile, String(n));
      const meanwhile = note(other.url).then(({ id }) => String(id));
      const answer = await at(world.platform, service.url)
        .post(ROTATE, {})
        .catch(() => null);
      if (answer) {
        // It came to its end before so many statements.
        rmSync(killFile, { force: true });
        records.push(await meanwhile);
        expect(answer).toMatchObject({ status: 200, body: { status: 'rotated' } });
        keys.add((await activeKeys(service.url))[0]!);
        break;
      }
      expect(existsSync(killFile)).toBe(false);
      died.push(readFileSync(`${killFile}.died`, 'utf8'));
      await service.stop('SIGKILL');
      records.push(await meanwhile);
      await aMinuteLater();
      await service.start();
      const active = await activeKeys(service.url);
      expect(active).toHaveLength(1);
      const isDone = active[0] !== before;
      if (isDone) expect(keys.has(active[0]!), `${active[0]} was active before`).toBe(false);
      keys.add(active[0]!);
      const [own, others] = [await note(service.url), await note(other.url)];
      for (const record of [own, others])
        expect(record['signedStatement'].signingKeyId).toBe(active[0]);
      expect(
        await database.raw("SELECT key_id FROM vault_signing_keys WHERE status = 'pending'"),
      ).toEqual([]);
      expect(await database.raw('SELECT key_id FROM sealed_keys')).toHaveLength(1);
    }
    console.log(
      `${kind.name}: a kill at each ${STEP}th of ${died.length * STEP} statements, ${keys.size} keys, ${records.length} records`,
    );
    expect(died.length * STEP).toBeGreaterThan(30);
    expect(keys.size).toBeGreaterThan(1);
    if (STEP === 1) expect(died.some((sql) => sql.includes('vault_key_statements'))).toBe(true);
    expect((await readStored(database, keys.size)).faults).toEqual([]);
    const client = at(world.platform, service.url);
    expect(await verifyExports(client, records, fingerprint)).toEqual([]);
    const out = join(service.directory, 'dump');
    expect((await service.run('dump', '--out', out)).code).toBe(0);
    const verdict = await service.run('verify', out, '--keys', `sha256:${fingerprint}`, '--json');
    expect(JSON.parse(verdict.stdout)).toMatchObject({ verdict: 'valid', failures: [] });
  }, 600_000);
});
