import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Guide, Home } from '../support/runner/guide.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { SoftHsm } from '../support/peers/soft-hsm.ts';
import { Client, createWorld, ok } from '../support/service/world.ts';

/** The commands that make a token, and the settings that name it. */
const [makeToken = '', settings = ''] = Guide.of('keys-and-rotation')
  .section('An HSM: PKCS#11')
  .blocks('console');

describe.runIf(SoftHsm.isInstalled())(
  'the built service with a key in a token, as the guide says',
  () => {
    const home = new Home();
    const directory = home.path;
    const conf = join(directory, 'softhsm2.conf');
    const pin = join(directory, 'pin');
    const env = Object.fromEntries(
      settings
        .replace('/run/secrets/hsm-pin', pin)
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    const services: ServiceProcess[] = [];
    afterAll(async () => {
      for (const service of services) await service.stop('SIGKILL');
    });

    it('rotates to it from the database, and two processes write one chain with it', async () => {
      mkdirSync(join(directory, 'tokens'));
      writeFileSync(
        conf,
        `directories.tokendir = ${join(directory, 'tokens')}\nlog.level = ERROR\n`,
      );
      writeFileSync(pin, '123456\n');
      const made = await home.bash(makeToken, { SOFTHSM2_CONF: conf });
      expect(made.code, made.stderr).toBe(0);

      const before = new ServiceProcess();
      services.push(before);
      const { apiKey } = await before.bootstrap();
      await before.start();
      const world = await createWorld(before.url, apiKey);
      const { id } = await ok(
        world.principal.client.post('/v1/records', { type: 'note', criteria: { text: 'x' } }),
      );
      await before.stop();

      const here = () => new ServiceProcess({ ...env, SOFTHSM2_CONF: conf }, before.directory);
      const [one, other] = [here(), here()];
      services.push(one, other);
      await one.start();
      await other.start();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          new Client(n % 2 === 0 ? one.url : other.url, world.principal.client.key).post(
            `/v1/records/${id}/references`,
            { kind: 'ticket', uri: `https://example.org/${n}` },
          ),
        ),
      );
      const written = answers.filter(({ status }) => status === 201).length;
      expect(written).toBeGreaterThanOrEqual(10);
      const file = await ok(
        new Client(other.url, world.principal.client.key).get(`/v1/records/${id}/audit-export`),
      );
      expect(file['chain'].entries).toHaveLength(written + 1);
      expect(file['keys'].map(({ algorithm }: { algorithm: string }) => algorithm).sort()).toEqual([
        'ES256',
        'Ed25519',
      ]);
      expect(
        one.logged.some(({ msg }) => String(msg).startsWith('the signing key was rotated')),
      ).toBe(true);
      await one.stop();
      await other.stop();
    });
  },
);
