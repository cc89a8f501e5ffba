import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../../config/settings-error.ts';
import type { Environment } from '../../../config/settings-sources.ts';
import { loadSettings } from '../../../config/settings.ts';
import { SETTINGS } from '../../../config/settings-table.ts';
import { describeSettings, maskedSettings } from '../../../config/settings-view.ts';

const CWD = '/srv/notary';
const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER = Buffer.alloc(40, 9);

const load = (env: Environment, files: { readonly [file: string]: string } = {}) =>
  loadSettings(env, {
    cwd: CWD,
    readFile: (file) => {
      const text = files[file];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return text;
    },
  });

const problemsOf = (env: Environment, files = {}): { [name: string]: string } => {
  try {
    load(env, files);
  } catch (error) {
    if (error instanceof SettingsError)
      return Object.fromEntries(error.problems.map((problem) => [problem.name, problem.message]));
    throw error;
  }
  return {};
};

describe('Settings: defaults', () => {
  it('are those of the interface, and one start needs nothing set', () => {
    const { settings, warnings } = load({});
    expect(warnings).toEqual([]);
    expect(settings).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      ENVIRONMENT: 'live',
      ROLE: 'all',
      DATA_DIR: join(CWD, 'data'),
      KEYS_DIR: join(CWD, 'data-keys'),
      DATABASE_URL: `sqlite://${join(CWD, 'data', 'notary.sqlite')}`,
      SIGNER: 'software',
      SIGNER_CRYPTO: 'runtime',
      VAULT_ALGORITHM: 'Ed25519',
      VAULT_CANONICALIZATION: 'jcs',
      RATE_LIMIT_AGENT: 500,
      RATE_LIMIT_ADMIN: 1000,
      RATE_LIMIT_PLATFORM: 1000,
      RATE_LIMIT_RECORDS_CREATE: 200,
      RATE_LIMIT_ANONYMOUS: 300,
      RATE_LIMIT_ROUTE_MULTIPLIER: 1,
      HANDLER_TIMEOUT_MS: 30_000,
      CONNECTION_TIMEOUT_MS: 60_000,
      KEEP_ALIVE_TIMEOUT_MS: 72_000,
      KEY_ROTATION_MAX_GRACE_SECONDS: 604_800,
      MAX_BODY_BYTES: 1_048_576,
      MAX_DELEGATION_DEPTH: 5,
      API_KEY_DEFAULT_LIFETIME_SECONDS: null,
      API_KEY_PEPPER: null,
      TRUSTED_PROXIES: [],
      CORS_ORIGINS: [],
    });
  });

  it('follow the settings that they are worked out from', () => {
    const { settings } = load({ HOST: '::1', PORT: '8080', DATA_DIR: 'var/store' });
    expect(settings.PUBLIC_URL).toBe('http://[::1]:8080');
    expect(settings.KEYS_DIR).toBe(join(CWD, 'var', 'store-keys'));
    expect(settings.DATABASE_URL).toBe(`sqlite://${join(CWD, 'var', 'store', 'notary.sqlite')}`);
  });

  it('hold for a value that is empty', () => {
    expect(load({ PORT: '', LOG_LEVEL: '  ' }).settings).toMatchObject({
      PORT: 3000,
      LOG_LEVEL: 'info',
    });
  });
});

describe('Settings: bad values', () => {
  it('stop the start with a list of all of them at once, each with what is allowed', () => {
    const problems = problemsOf({
      PORT: 'http',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'example.org',
      TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
      VAULT_ALGORITHM: 'RS256',
      RATE_LIMIT_AGENT: '-1',
      SIGNER_KEK: 'short',
    });
    expect(Object.keys(problems).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'RATE_LIMIT_AGENT',
      'SIGNER_KEK',
      'TRUSTED_PROXIES',
      'VAULT_ALGORITHM',
    ]);
    expect(problems['PORT']).toBe('must be a whole number from 0 to 65535, not "http"');
    expect(problems['LOG_LEVEL']).toContain('one of silent, error, warn, info, debug');
    expect(problems['TRUSTED_PROXIES']).toMatch(/not "nonsense"$/);
    expect(problems['SIGNER_KEK']).toContain('openssl rand -base64 32');
  });

  it.each<[string, string]>([
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['PORT', '0x10'],
    ['PORT', '3000.5'],
    ['PORT', '3000 '.repeat(3)],
    ['RATE_LIMIT_ROUTE_MULTIPLIER', 'NaN'],
    ['RATE_LIMIT_ROUTE_MULTIPLIER', '-0.5'],
    ['RATE_LIMIT_ROUTE_MULTIPLIER', 'Infinity'],
    ['PUBLIC_URL', 'ftp://example.org'],
    ['PUBLIC_URL', 'https://u:p@example.org'],
    ['PUBLIC_URL', 'https://example.org/?a=b'],
    ['DATABASE_URL', 'postgres://localhost/x'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'sqlite://'],
    ['CORS_ORIGINS', 'https://app.example/path'],
    ['CORS_ORIGINS', 'app.example'],
    ['HOST', 'two words'],
    ['ENVIRONMENT', 'Live'],
    ['SIGNER', 'hsm'],
    ['MAX_DELEGATION_DEPTH', 'deep'],
    ['API_KEY_MAX_LIFETIME_SECONDS', '0'],
  ])('refuses %s=%s', (name, value) => {
    expect(Object.keys(problemsOf({ [name]: value }))).toEqual([name]);
  });

  it('never repeats a secret or a database URL in a message', () => {
    const all = JSON.stringify(
      problemsOf({
        API_KEY_PEPPER: 'hunter2hunter2',
        DATABASE_URL: 'mysql://u:hunter2@',
        PUBLIC_URL: 'https://u:hunter2@x',
      }),
    );
    expect(all).toContain('DATABASE_URL');
    expect(all).not.toContain('hunter2');
  });

  it('are clamped with a warning where the interface names a clamp', () => {
    for (const [given, used] of [
      ['0', 1],
      ['11', 10],
      ['99', 10],
    ] as const) {
      const { settings, warnings } = load({ MAX_DELEGATION_DEPTH: given });
      expect(settings.MAX_DELEGATION_DEPTH).toBe(used);
      expect(warnings).toEqual([
        `MAX_DELEGATION_DEPTH: ${given} is outside 1 to 10; ${used} is used.`,
      ]);
    }
  });

  it.each([
    { HANDLER_TIMEOUT_MS: '60000' },
    { CONNECTION_TIMEOUT_MS: '72000' },
    { KEEP_ALIVE_TIMEOUT_MS: '60000' },
    { HANDLER_TIMEOUT_MS: '80000', CONNECTION_TIMEOUT_MS: '90000' },
  ])('stop the start where the time-outs are out of order: %o', (env) => {
    expect(problemsOf(env)).toEqual({
      CONNECTION_TIMEOUT_MS: expect.stringMatching(
        /above HANDLER_TIMEOUT_MS and below KEEP_ALIVE_TIMEOUT_MS/,
      ) as unknown,
    });
  });

  it.each(['data', 'data/keys', 'data/../data/x', '/srv/notary/data'])(
    'stop the start where KEYS_DIR lies inside DATA_DIR: %s',
    (dir) => {
      expect(Object.keys(problemsOf({ KEYS_DIR: dir }))).toEqual(['KEYS_DIR']);
    },
  );

  it.each(['data-keys', '../data', 'data2', '..data'])(
    'let KEYS_DIR lie beside DATA_DIR: %s',
    (dir) => {
      expect(problemsOf({ KEYS_DIR: dir })).toEqual({});
    },
  );

  it.each(['DATA_DIR', 'KEYS_DIR', 'ANCHOR_PATH', 'PROVISIONING_SECRETS_DIR'])(
    'stop the start if %s is a folder in which the system makes none',
    (name) => {
      for (const folder of ['/proc', '/sys'])
        expect(problemsOf({ [name]: `${folder}/nope` })).toMatchObject({
          [name]: expect.stringContaining(`must not be inside ${folder}`) as unknown,
        });
    },
  );

  it('stop the start where the default lifetime of keys is above the longest', () => {
    expect(
      problemsOf({ API_KEY_DEFAULT_LIFETIME_SECONDS: '100', API_KEY_MAX_LIFETIME_SECONDS: '99' }),
    ).toHaveProperty('API_KEY_DEFAULT_LIFETIME_SECONDS');
    expect(
      problemsOf({ API_KEY_DEFAULT_LIFETIME_SECONDS: '99', API_KEY_MAX_LIFETIME_SECONDS: '99' }),
    ).toEqual({});
  });
});

describe('Settings: secrets', () => {
  it('may be base64, base64url or hex, several for those that rotate, newest first', () => {
    const { settings } = load({
      API_KEY_PEPPER: `${OTHER.toString('hex')}, ${KEY}`,
      SECRETS_KEY: Buffer.alloc(32, 255).toString('base64url'),
      SIGNER_KEK: KEY,
    });
    expect(settings.API_KEY_PEPPER).toEqual([Uint8Array.from(OTHER), new Uint8Array(32).fill(7)]);
    expect(settings.SECRETS_KEY).toEqual([new Uint8Array(32).fill(255)]);
    expect(settings.SIGNER_KEK).toEqual([new Uint8Array(32).fill(7)]);
  });

  it.each([
    Buffer.alloc(31, 1).toString('base64'),
    Buffer.alloc(31, 1).toString('hex'),
    'not base64 at all, but a long enough sentence',
    `${KEY},`.repeat(2),
  ])('refuses %s', (value) => {
    expect(problemsOf({ SECRETS_KEY: value })).toHaveProperty('SECRETS_KEY');
  });

  it('takes one key for SIGNER_KEK', () => {
    expect(problemsOf({ SIGNER_KEK: `${KEY},${OTHER.toString('hex')}` })).toHaveProperty(
      'SIGNER_KEK',
    );
  });

  it.each([{ NODE_ENV: 'production' }, { DATABASE_URL: 'mysql://u:p@db:3306/notary' }])(
    'must all be set with %o, and the message says how to make one',
    (env) => {
      const problems = problemsOf(env);
      expect(Object.keys(problems).sort()).toEqual(['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK']);
      for (const message of Object.values(problems))
        expect(message).toContain('openssl rand -base64 32');
      expect(
        problemsOf({ ...env, API_KEY_PEPPER: KEY, SECRETS_KEY: KEY, SIGNER_KEK: KEY }),
      ).toEqual({});
    },
  );
});

describe('Settings: where they come from', () => {
  it('reads any of them from a mounted file, without the line end', () => {
    const { settings } = load(
      { SIGNER_KEK_FILE: '/run/secrets/kek', PORT_FILE: 'port' },
      { '/run/secrets/kek': `${KEY}\n`, '/srv/notary/port': '8080\r\n' },
    );
    expect(settings.SIGNER_KEK).toEqual([new Uint8Array(32).fill(7)]);
    expect(settings.PORT).toBe(8080);
  });

  it('refuses a file that is missing or empty, and a setting given in both ways', () => {
    const problems = problemsOf(
      { PORT_FILE: '/none', HOST_FILE: '/empty', LOG_LEVEL: 'info', LOG_LEVEL_FILE: '/level' },
      { '/empty': '\n', '/level': 'warn' },
    );
    expect(problems).toEqual({
      PORT: expect.stringContaining('/none (ENOENT)') as unknown,
      HOST: expect.stringContaining('empty') as unknown,
      LOG_LEVEL: expect.stringContaining('not both') as unknown,
    });
  });

  it('reads .env in development; the environment stands above it, in either form', () => {
    const files = {
      '/srv/notary/.env': 'PORT=4000\nLOG_LEVEL=debug # loud\nHOST_FILE=/host\n',
      '/host': '0.0.0.0',
      '/port': '6000',
    };
    expect(load({}, files).settings).toMatchObject({
      PORT: 4000,
      LOG_LEVEL: 'debug',
      HOST: '0.0.0.0',
    });
    expect(load({ PORT: '5000', HOST: 'localhost' }, files).settings).toMatchObject({
      PORT: 5000,
      HOST: 'localhost',
    });
    expect(load({ PORT_FILE: '/port' }, files).settings.PORT).toBe(6000);
    expect(load({ PORT: '' }, files).settings.PORT).toBe(4000);
  });

  it('does not read .env in production', () => {
    const env = { NODE_ENV: 'production', API_KEY_PEPPER: KEY, SECRETS_KEY: KEY, SIGNER_KEK: KEY };
    expect(load(env, { '/srv/notary/.env': 'PORT=4000' }).settings.PORT).toBe(3000);
  });

  it('stops on a .env that is there but cannot be read', () => {
    expect(() =>
      loadSettings(
        {},
        {
          cwd: CWD,
          readFile: () => {
            throw Object.assign(new Error('no'), { code: 'EACCES' });
          },
        },
      ),
    ).toThrow(/\.env: cannot be read \(EACCES\)/);
  });
});

describe('Settings: names that are not ours', () => {
  it.each([
    ['RATE_LIMIT_AGNET', 'RATE_LIMIT_AGENT'],
    ['API_KEY_PEPER', 'API_KEY_PEPPER'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['KEY_DIR', 'KEYS_DIR'],
    ['SIGNER_KEK_FIEL', 'SIGNER_KEK_FILE'],
    ['rate_limit_admin', 'RATE_LIMIT_ADMIN'],
  ])('warns of %s, which is close to %s', (name, near) => {
    expect(load({ [name]: 'x' }).warnings).toEqual([
      `${name} is not a setting and was ignored. Is ${near} meant?`,
    ]);
  });

  it.each([
    'PROT',
    'HOSTNAME',
    'HOSTS',
    'PATH',
    'HOME',
    'ROLES',
    'LOGNAME',
    'XDG_DATA_DIRS',
    'OTEL_RESOURCE_ATTRIBUTES',
    'npm_config_cache',
    'NODE_OPTIONS',
    'NODE_PATH',
    'LANG',
  ])("stays silent on %s, which may be another program's", (name) => {
    expect(load({ [name]: 'x' }).warnings).toEqual([]);
  });

  it('never mistakes one of our own names for a slip of another', () => {
    expect(
      load(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']))).warnings,
    ).toEqual([]);
  });
});

describe('Settings: shown', () => {
  it('warns where links would lead nowhere', () => {
    expect(load({ HOST: '0.0.0.0' }).warnings[0]).toContain('PUBLIC_URL');
    const named = { HOST: '0.0.0.0', PUBLIC_URL: 'https://notary.example/' };
    expect(load({ ...named, GRPC_PORT: 'off' })).toMatchObject({
      warnings: [],
      settings: { PUBLIC_URL: 'https://notary.example' },
    });
  });

  it('warns where gRPC would carry credentials in the clear, off loopback without TLS', () => {
    const warned = (env: Readonly<Record<string, string>>): boolean =>
      load({ PUBLIC_URL: 'https://notary.example', ...env }).warnings.some((one) =>
        one.includes('GRPC_TLS_CERT'),
      );
    expect(warned({ HOST: '0.0.0.0' })).toBe(true);
    const fine: readonly Readonly<Record<string, string>>[] = [
      { HOST: '127.0.0.1' },
      { HOST: '::1' },
      { HOST: '0.0.0.0', ROLE: 'worker' },
    ];
    for (const one of fine) expect(warned(one)).toBe(false);
    expect(warned({ HOST: '0.0.0.0', GRPC_PORT: 'off' })).toBe(false);
  });

  it('take a port of gRPC, or off, and a certificate only with its key', () => {
    expect(load({}).settings.GRPC_PORT).toBe(50_051);
    expect(load({ NODE_ENV: 'test' }).settings.GRPC_PORT).toBe('off');
    expect(load({ GRPC_PORT: '0' }).settings.GRPC_PORT).toBe(0);
    const cert = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
    expect(problemsOf({ GRPC_PORT: 'on' })).toHaveProperty('GRPC_PORT');
    expect(problemsOf({ GRPC_PORT: '3000' })).toHaveProperty('GRPC_PORT');
    expect(problemsOf({ GRPC_TLS_CERT: cert })).toHaveProperty('GRPC_TLS_KEY');
    expect(problemsOf({ GRPC_TLS_CLIENT_CA: cert })).toHaveProperty('GRPC_TLS_CERT');
    expect(problemsOf({ GRPC_TLS_CERT: cert, GRPC_TLS_KEY: 'x' })).toHaveProperty('GRPC_TLS_KEY');
  });

  it('are masked: no secret and no password, but whether they are set', () => {
    const { settings } = load({
      API_KEY_PEPPER: KEY,
      SECRETS_KEY: KEY,
      SIGNER_KEK: KEY,
      DATABASE_URL: 'mysql://notary:p@ss:word@db:3306/notary?ssl=verify-ca&ssl-ca=/ca.pem',
    });
    const shown = maskedSettings(settings);
    expect(shown.SIGNER_KEK).toBe('********');
    expect(shown.DATABASE_URL).toBe(
      'mysql://notary:********@db:3306/notary?ssl=verify-ca&ssl-ca=%2Fca.pem',
    );
    expect(shown.PORT).toBe(3000);
    expect(JSON.stringify(shown)).not.toMatch(/ord@|again|BwcH/);
    const unset = maskedSettings(load({}).settings);
    expect([unset.SIGNER_KEK, unset.METRICS_TOKEN]).toEqual([null, null]);
    // A URL parser takes schemes in capitals as well.
    const loud = load({
      DATABASE_URL: 'MySQL://notary:p@ss:word@db:3306/notary',
      REDIS_URL: 'REDIS://:sword@cache:6379/1',
    });
    expect(JSON.stringify(maskedSettings(loud.settings))).not.toContain('word@');
    expect(maskedSettings(loud.settings).REDIS_URL).toBe('REDIS://:********@cache:6379/1');
  });

  it('are described, each with a sentence, and secret exactly where a key is held', () => {
    const rows = describeSettings();
    expect(rows.map((row) => row.name)).toEqual(Object.keys(SETTINGS));
    for (const row of rows) {
      expect(row.description, row.name).toMatch(/^[A-Z@].{10,}/);
      expect(row.default, row.name).not.toBe('');
    }
    expect(rows.filter((row) => row.secret).map((row) => row.name)).toEqual([
      'GRPC_TLS_KEY',
      'METRICS_TOKEN',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'PKCS11_PIN',
      'VAULT_TOKEN',
      'ANCHOR_S3_SECRET_ACCESS_KEY',
      'API_KEY_PEPPER',
      'SECRETS_KEY',
      'SIGNER_KEK',
      'SIEM_HTTP_TOKEN',
      'SIEM_HTTP_SECRET',
    ]);
    expect(rows.find((row) => row.name === 'RATE_LIMIT_AGENT')).toMatchObject({
      type: 'integer',
      default: '500',
      unit: 'requests a minute',
    });
  });
});
