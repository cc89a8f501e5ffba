import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mysqlTarget } from '../../adapters/sql/mysql/mysql-url.ts';
import { loadSettings } from '../../config/settings.ts';
import lock from '../../package-lock.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { secretWatch } from '../support/runner/secret-watch.ts';
import { Home, type Ended } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';

const home = new Home();
const folder = home.path;
const secrets = join(folder, 'secrets');
const secret = (name: string): string => readFileSync(join(secrets, name), 'utf8').trim();

interface ComposeService {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
}
const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

beforeAll(async () => {
  const { code, stderr } = await home.run('bash', ['deploy/make-secrets.sh', secrets]);
  expect(code, stderr).toBe(0);
  for (const name of ['api-key-pepper', 'secrets-key', 'signer-kek'])
    secretWatch.learn(name, secret(name));
});

const ran = (command: string, ...args: readonly string[]): Promise<Ended> =>
  home.run(command, args);

describe('docker-compose.yml', () => {
  it
    .skipIf(!hasTools('docker-compose'))
    .each([['docker-compose.yml', '--profile=observability'], ['docker-compose.dev.yml']])(
    '%s is one that docker-compose takes',
    async (file, ...args) => {
      const { code, stdout, stderr } = await ran(
        'docker-compose',
        '-f',
        file,
        ...args.map((arg) => arg),
        'config',
      );
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('mysql:8.4');
    },
  );

  it('runs api, worker, MySQL 8.4 and Redis, and Prometheus and Grafana in a profile of their own', () => {
    expect(
      Object.entries(compose.services).map(([name, { profiles }]) => [name, profiles ?? []]),
    ).toEqual([
      ['mysql', []],
      ['redis', []],
      ['migrate', []],
      ['api', []],
      ['worker', []],
      ['prometheus', ['observability']],
      ['grafana', ['observability']],
    ]);
    expect(compose.services['api']?.environment?.['ROLE']).toBe('api');
    expect(compose.services['worker']?.environment?.['ROLE']).toBe('worker');
  });

  it.each(['migrate', 'api', 'worker'])(
    'starts %s without rights, on settings that the service takes without a complaint',
    (name) => {
      const {
        read_only: isReadOnly,
        cap_drop: dropped,
        environment,
        secrets: mounted,
      } = compose.services[name]!;
      expect([isReadOnly, dropped]).toEqual([true, ['ALL']]);
      const env = Object.fromEntries(
        Object.entries(environment!).map(([setting, value]) => {
          const file = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
          if (file !== undefined) expect(mounted).toContain(file);
          const text = file === undefined ? value : join(secrets, file);
          return [setting, text.replace(/^\$\{PUBLIC_URL:-(.+)\}$/, '$1')];
        }),
      );
      const { settings, warnings } = loadSettings(
        { NODE_ENV: 'production', HOST: '0.0.0.0', ...env },
        { cwd: folder },
      );
      expect(warnings).toEqual([]);
      expect(mysqlTarget(settings.DATABASE_URL)).toMatchObject({
        host: 'mysql',
        database: 'notary',
        user: name === 'migrate' ? 'notary_migrate' : 'notary',
        password: secret(name === 'migrate' ? 'mysql-migrate-password' : 'mysql-service-password'),
      });
    },
  );

  it('names secrets that the script makes, files that are there, and ports of this machine alone', () => {
    for (const { file } of Object.values(compose.secrets))
      expect(existsSync(join(folder, file)), file).toBe(true);
    const files = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? []);
    // The dashboard and the alert rules are a part of their own.
    const missing = files.filter((file) => !existsSync(file) && existsSync('config/observability'));
    expect([files.length > 3, missing]).toEqual([true, []]);
    for (const { ports = [] } of Object.values(compose.services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('gives the users of MySQL the rights that the README gives them', () => {
    const grants = (file: string): readonly string[] =>
      readFileSync(file, 'utf8').match(/^GRANT .+$/gm) ?? [];
    expect(grants('deploy/mysql/users.sh')).toEqual(grants('README.md'));
    expect(grants('README.md')).toHaveLength(2);
  });
});

describe('deploy/make-secrets.sh', () => {
  it('makes a directory that nobody else may enter, and touches none that is there', async () => {
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    const before = secret('signer-kek');
    const { code } = await ran('bash', 'deploy/make-secrets.sh', secrets);
    expect([code, secret('signer-kek')]).toEqual([1, before]);
    expect(new Set(['api-key-pepper', 'secrets-key', 'signer-kek'].map(secret)).size).toBe(3);
  });
});

describe('deploy/notary.service', () => {
  it.skipIf(!hasTools('systemd-analyze'))('is a unit without a complaint of systemd', async () => {
    const unit = join(folder, 'notary.service');
    const text = readFileSync('deploy/notary.service', 'utf8');
    const verified = async (written: string): Promise<string> => {
      // The program has to be there; this one is.
      writeFileSync(unit, written.replace('/usr/bin/node ', `${process.execPath} `));
      return (await ran('systemd-analyze', 'verify', unit)).stderr;
    };
    expect(await verified(text)).toBe('');
    expect(await verified(text.replace('ProtectSystem', 'ProtectSytem'))).toContain('ProtectSytem');
  });

  it.skipIf(!hasTools('systemd-analyze'))(
    'leaves the service an exposure of 2.5 at most, by systemd-analyze security',
    async () => {
      const exposed = async (threshold: number): Promise<number | null> => {
        const args = ['security', '--offline=true', `--threshold=${threshold}`];
        return (await ran('systemd-analyze', ...args, 'deploy/notary.service')).code;
      };
      expect(await exposed(25)).toBe(0);
      // It measures this unit: with the network of the host no unit gets this far.
      expect(await exposed(5)).not.toBe(0);
    },
  );
});

describe('npm run sbom', () => {
  it('lists every package of production, in the version of the lock file, and no other', async () => {
    const { stdout, code, stderr } = await ran('npm', 'run', '--silent', 'sbom');
    expect(code, stderr).toBe(0);
    const { bomFormat, components } = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly purl: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    expect((await ran('npm', 'run', '--silent', 'sbom')).stdout, 'twice').toBe(stdout);
    const purls = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    const packages = lock.packages as Readonly<Record<string, { readonly version?: string }>>;
    for (const name of Object.keys(packageJson.dependencies))
      expect(purls).toContain(`pkg:npm/${name}@${packages[`node_modules/${name}`]?.version}`);
    const names = [...purls].map((purl) => purl.replace(/^pkg:npm\//, '').replace(/@[^@]+$/, ''));
    expect(['vitest', 'typescript', 'eslint'].filter((name) => names.includes(name))).toEqual([]);
  }, 60_000);
});
