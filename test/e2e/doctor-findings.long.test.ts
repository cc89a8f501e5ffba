import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOnVolumeOf } from '../../adapters/anchor/filesystem/volume.ts';
import { systemOrigin } from '../../application/sealing/origin.ts';
import { ListKeysOnHost } from '../../application/operations/list-keys-on-host.ts';
import { RevokeKeyOnHost } from '../../application/operations/revoke-key-on-host.ts';
import { RotateSigningKey } from '../../application/vault/rotate-signing-key.ts';
import { backUp } from '../../config/backup.ts';
import { startService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { FINDINGS, type Finding, type FindingCode } from '../../config/doctor/finding.ts';
import { TOKENS } from '../../config/tokens.ts';
import { databases } from '../support/databases/databases.ts';
import { SickNotary, SILENT } from '../support/service/sick-notary.ts';
import { secretWatch } from '../support/runner/secret-watch.ts';
import { TlsAuthority } from '../support/peers/tls-authority.ts';

let sick: SickNotary;
beforeEach(async () => {
  sick = await new SickNotary().prepare();
});
afterEach(() => sick.remove());

const DAY = 86_400_000;

/** The codes of what is to be acted on. */
const codesOf = (findings: readonly Finding[]): readonly FindingCode[] =>
  findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code);

/** That the one code is found, and nothing else; the subject and the message name what they have to. */
const expectOnly = async (
  code: FindingCode,
  says: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const findings = await sick.findings(env);
  expect(codesOf(findings)).toEqual([code]);
  const found = findings.find((finding) => finding.code === code)!;
  expect(`${found.subject}: ${found.message}`).toMatch(says);
};

const rotate = (): Promise<unknown> =>
  sick.open(({ container }) =>
    container
      .get(RotateSigningKey)
      .rotate(systemOrigin(container.get(TOKENS.ids).next()), 'scheduled'),
  );

const file = (name: string, text: string, mode = 0o600): string => {
  const path = sick.path(name);
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
};

describe('the guide', () => {
  it('lists every code with its severity, and no other', () => {
    const rows = readFileSync('docs/guides/install.md', 'utf8').matchAll(
      /^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \| (fault|advice|note) \|/gm,
    );
    const listed = [...rows].flatMap(([, codes, severity]) =>
      codes!.split(', ').map((code) => [code.slice(1, -1), severity]),
    );
    expect(Object.fromEntries(listed)).toEqual(FINDINGS);
  });
});

describe('a notary that is as it should be', () => {
  it('has no finding but the fingerprint of its key, and nothing is written by looking', async () => {
    if (await isOnVolumeOf(sick.anchors, `sqlite://${sick.file}`)) return;
    const before = readdirSync(sick.directory, { recursive: true }).toSorted();
    const { findings, skipped } = await sick.examined();
    const { fingerprint } = await sick.open(({ vault }) => Promise.resolve(vault));
    expect({ findings, skipped }).toEqual({
      findings: [
        expect.objectContaining({ code: 'fingerprint', subject: `sha256:${fingerprint}` }),
      ],
      skipped: [],
    });
    expect(readdirSync(sick.directory, { recursive: true }).toSorted()).toEqual(before);
  });

  it('is told apart from one that was never started, of which nothing is made', async () => {
    rmSync(sick.path('data'), { recursive: true });
    const findings = await sick.findings();
    expect(codesOf(findings)).toEqual([]);
    expect(findings.map(({ code }) => code)).toEqual(['database-absent']);
    expect(existsSync(sick.path('data'))).toBe(false);
    expect(existsSync(sick.path('keys'))).toBe(false);
  });
});

describe('settings', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['time-outs out of order', { HANDLER_TIMEOUT_MS: '90000' }, /CONNECTION_TIMEOUT_MS/],
    [
      'KEYS_DIR inside DATA_DIR',
      { KEYS_DIR: 'data/keys', DATA_DIR: 'data' },
      /must not be inside DATA_DIR/,
    ],
    [
      'production without a secret',
      { NODE_ENV: 'production', SIGNER_KEK: '' },
      /must be set with NODE_ENV=production/,
    ],
    [
      'a certificate whose file is missing',
      { GRPC_TLS_CERT_FILE: '/nowhere.pem' },
      /cannot be read, \/nowhere.pem/,
    ],
    ['a number that is none', { PORT: 'eighty' }, /PORT/],
  ])('%s are a fault that names the setting', async (_what, env, says) => {
    const { findings, skipped } = await sick.examined(env);
    expect(new Set(codesOf(findings))).toEqual(new Set(['setting-invalid']));
    expect(findings.map(({ message }) => message).join('\n')).toMatch(says);
    expect(skipped).toHaveLength(1);
  });

  it('a name that is nearly one is doubtful', () =>
    expectOnly('setting-doubtful', /Is ANCHOR_INTERVAL meant/, { ANCHOR_INTERVALL: '360' }));

  it('gRPC off loopback without TLS travels in the clear', () =>
    expectOnly('grpc-in-the-clear', /without TLS/, {
      HOST: '0.0.0.0',
      GRPC_PORT: '0',
      PUBLIC_URL: 'https://notary.example',
    }));

  it('a PUBLIC_URL with http travels in the clear', () =>
    expectOnly('public-url-in-the-clear', /set PUBLIC_URL to its https/, {
      PUBLIC_URL: 'http://notary.example',
    }));

  it('every address as a proxy, or as one that may be fetched from, is too much', async () => {
    await expectOnly('proxies-too-many', /X-Forwarded-For/, { TRUSTED_PROXIES: '0.0.0.0/0' });
    await expectOnly('egress-too-wide', /EGRESS_ALLOW_CIDRS_WEBHOOK/, {
      EGRESS_ALLOW_CIDRS_WEBHOOK: '::/0',
    });
  });
});

it('a collector at a private address that is not allowed gets nothing', async () => {
  const url = { SIEM_HTTP_URL: 'https://10.0.0.1/in' };
  await expectOnly('sink-not-allowed', /EGRESS_ALLOW_CIDRS_SINK/, url);
  const { findings } = await sick.examined({ ...url, EGRESS_ALLOW_CIDRS_SINK: '10.0.0.0/8' });
  expect(codesOf(findings)).not.toContain('sink-not-allowed');
});

describe('certificates of gRPC', () => {
  let authority: TlsAuthority;
  beforeEach(async () => {
    authority = await TlsAuthority.create();
  });
  const tls = async (
    issued: Parameters<TlsAuthority['issue']>[0],
    key?: string,
  ): Promise<Readonly<Record<string, string>>> => {
    const identity = await authority.issue({ names: ['notary.example'], ...issued });
    return {
      GRPC_TLS_CERT_FILE: file('cert.pem', identity.cert, 0o644),
      GRPC_TLS_KEY_FILE: file('key.pem', key ?? identity.key),
    };
  };
  const at = (days: number): Date => new Date(Date.now() + days * DAY);

  it.each<[FindingCode, number, number, RegExp]>([
    ['certificate-expired', -90, -1, /It expired on 2\d{3}-/],
    ['certificate-not-yet-valid', 1, 90, /is valid from/],
    ['certificate-expires-soon', -60, 3, /expires on 2\d{3}-/],
  ])('%s', async (code, from, until, says) =>
    expectOnly(code, says, await tls({ notBefore: at(from), notAfter: at(until) })),
  );

  it('certificate-of-another-key', async () => {
    const other = await authority.issue({ names: ['other.example'] });
    await expectOnly(
      'certificate-of-another-key',
      /not the private key of GRPC_TLS_CERT/,
      await tls({ notAfter: at(90) }, other.key),
    );
  });

  it('a good one is no finding', async () =>
    expect(codesOf(await sick.findings(await tls({ notAfter: at(90) })))).toEqual([]));
});

describe('the machine', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it('a port that another program holds is taken; one of a notary says so', async () => {
    const server = createServer((socket) => socket.end('220 no notary\r\n'));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    await expectOnly('port-taken', /another process listens on port/, { PORT: port });
    await expectOnly('port-taken', /^GRPC_PORT/, { GRPC_PORT: port });

    const running = await startService(
      loadSettings(sick.env, { cwd: sick.directory }).settings,
      SILENT,
    );
    try {
      const findings = await sick.findings({ PORT: new URL(running.url).port });
      expect(codesOf(findings)).toEqual([]);
      expect(findings.map(({ code }) => code)).toContain('service-running');
    } finally {
      await running.stop();
    }
  });

  it('modes that let other users in are too open, each with the command that closes it', async () => {
    const open = file('kek', sick.secrets.SIGNER_KEK, 0o644);
    await expectOnly('mode-too-open', new RegExp(`mode 0644.*chmod 0600 ${open}`), {
      SIGNER_KEK: '',
      SIGNER_KEK_FILE: open,
    });
    chmodSync(sick.anchors, 0o777);
    await expectOnly('mode-too-open', /notary-anchors-.*mode 0777/);
    chmodSync(sick.anchors, 0o700);
    chmodSync(sick.file, 0o644);
    await expectOnly('mode-too-open', /notary\.sqlite.*mode 0644/);
  });

  it('a place that cannot be written is named', async () => {
    const plain = file('plain', 'a file and no directory');
    const findings = await sick.findings({ ANCHOR_PATH: `${plain}/anchors` });
    expect(codesOf(findings)).toContain('place-not-writable');
  });

  it.each(['DATA_DIR', 'KEYS_DIR', 'ANCHOR_PATH', 'PROVISIONING_PATH'])(
    '%s that is a file and not a directory is named',
    async (name) => {
      const plain = file('plain', 'a file and not a directory');
      const findings = await sick.findings({ [name]: plain });
      expect(findings).toContainEqual({
        code: 'place-of-other-kind',
        severity: 'fault',
        subject: name,
        message: `${plain} is not a directory. Move the file away, or name a directory in ${name}.`,
      });
    },
  );

  it('SIEM_FILE_PATH that is a directory is named', () =>
    expectOnly('place-of-other-kind', /^SIEM_FILE_PATH: .* is a directory\. Name a file in it\.$/, {
      SIEM_FILE_PATH: sick.directory,
    }));

  it('PROVISIONING_PATH that does not exist is named', () =>
    expectOnly('place-missing', /^PROVISIONING_PATH: .*nowhere does not exist or cannot be read/, {
      PROVISIONING_PATH: sick.path('nowhere'),
    }));
});

describe('secrets', () => {
  it('made by the service itself are told of, and files that others can read', async () => {
    const own = new SickNotary();
    try {
      own.env = { ...own.env, API_KEY_PEPPER: '', SECRETS_KEY: '', SIGNER_KEK: '' };
      await own.prepare();
      const findings = await own.findings();
      expect(codesOf(findings)).toEqual(['secrets-made-by-itself']);
      expect(findings[0]).toMatchObject({ subject: 'API_KEY_PEPPER, SECRETS_KEY, SIGNER_KEK' });
      chmodSync(own.path('keys', 'signer-kek'), 0o640);
      expect(codesOf(await own.findings())).toEqual(['mode-too-open', 'secrets-made-by-itself']);
      rmSync(own.path('keys', 'secrets-key'));
      const lost = await own.findings();
      expect(codesOf(lost)).toContain('secret-wrong');
      expect(existsSync(own.path('keys', 'secrets-key'))).toBe(false);
    } finally {
      own.remove();
    }
  });

  it('of another database are wrong', () =>
    expectOnly('secret-wrong', /^SIGNER_KEK holds another secret|SIGNER_KEK.*another secret/, {
      SIGNER_KEK: randomBytes(32).toString('base64'),
    }));

  it('an older value that nothing needs any more can go, and not before', async () => {
    const [pepper, secretsKey] = [
      randomBytes(32).toString('base64'),
      randomBytes(32).toString('base64'),
    ];
    secretWatch.learn('API_KEY_PEPPER', pepper);
    sick.env['API_KEY_PEPPER'] = `${pepper},${sick.secrets.API_KEY_PEPPER}`;
    sick.env['SECRETS_KEY'] = `${secretsKey},${sick.secrets.SECRETS_KEY}`;
    await sick.open(async () => undefined);
    expect(codesOf(await sick.findings()), 'rows and keys are under the old ones').toEqual([]);
    await sick.open(({ container }) => container.get(TOKENS.sql).moveRowsToNewestKey());
    const findings = await sick.findings();
    expect(codesOf(findings)).toEqual(['old-secret-can-go']);
    expect(findings.find(({ code }) => code === 'old-secret-can-go')).toMatchObject({
      subject: 'SECRETS_KEY',
    });
    // The one usable key is used now, as far as the database knows.
    await sick.open(async ({ container }) => {
      for await (const key of container.get(ListKeysOnHost).execute('platform'))
        if (key.isActive) await container.get(RevokeKeyOnHost).execute({ keyId: key.id });
    });
    const without = await sick.findings();
    expect(
      without.filter(({ code }) => code === 'old-secret-can-go').map(({ subject }) => subject),
    ).toEqual(['SECRETS_KEY', 'API_KEY_PEPPER']);
    expect(codesOf(without)).toContain('platform-key-none');
  });
});

describe('the vault', () => {
  it('anchors that are none, or on the volume of the database, or unreadable', async () => {
    await expectOnly('anchors-none', /older copy/, { ANCHOR: 'none' });
    await expectOnly('anchors-beside-database', /the volume of the database/, {
      ANCHOR_PATH: sick.path('anchors'),
    });
    mkdirSync(`${sick.anchors}/anchors`);
    rmSync(`${sick.anchors}/anchors`, { recursive: true });
    writeFileSync(`${sick.anchors}/anchors`, 'no directory', { mode: 0o600 });
    await expectOnly('anchors-unusable', /cannot be read/);
  });

  it('a signer that does not hold the active key', () =>
    expectOnly('signer-unusable', /cannot sign/, {
      SIGNER: 'vault-transit',
      VAULT_ADDR: 'http://127.0.0.1:1',
      VAULT_TOKEN: 'a token of a test',
      TRANSIT_KEY: 'notary',
    }));

  it('SIGNER_PREVIOUS that is of no use, and PREDICATE_BASE that is ignored', async () => {
    await expectOnly('signer-previous-spent', /erase or disable it there/, {
      SIGNER_PREVIOUS: 'vault-transit:old',
      VAULT_ADDR: 'http://127.0.0.1:1',
      VAULT_TOKEN: 'a token of a test',
    });
    await expectOnly('predicate-base-ignored', /is fixed at/, {
      PREDICATE_BASE: 'https://other.example',
    });
  });

  it('a backup is due after a rotation until one was taken; a retired private key that was put back is found', async () => {
    const { settings } = loadSettings(sick.env, { cwd: sick.directory });
    await backUp(settings, sick.path('before.sqlite'));
    sick.edit('CREATE TABLE kept AS SELECT * FROM sealed_keys');
    await rotate();
    await expectOnly('backup-due', /was rotated at .*the newest backup that is known is of/);
    await backUp(settings, sick.path('after.sqlite'));
    expect(codesOf(await sick.findings())).toEqual([]);
    sick.edit('INSERT INTO sealed_keys SELECT * FROM kept', 'DROP TABLE kept');
    await expectOnly('retired-key-not-erased', /sealed_keys still holds it/);
  });

  it('platform keys that never expire, that may be used from anywhere, and none at all', async () => {
    const { MintPlatformKey } = await import('../../application/operations/mint-platform-key.ts');
    const minted = await sick.open(({ container }) => container.get(MintPlatformKey).execute({}));
    secretWatch.learn('an API key', minted.apiKey);
    const findings = await sick.findings();
    expect(codesOf(findings)).toEqual([
      'platform-key-without-expiry',
      'platform-key-from-anywhere',
    ]);
    for (const { code, subject } of findings)
      if (code.startsWith('platform-key')) expect(subject).toContain(minted.key.id);
    await sick.open(async ({ container }) => {
      for await (const key of container.get(ListKeysOnHost).execute('platform'))
        if (key.isActive) await container.get(RevokeKeyOnHost).execute({ keyId: key.id });
    });
    await expectOnly('platform-key-none', /notary keys mint/);
  });
});

describe('the database', () => {
  it('that is newer, or of an earlier build, or older, or damaged', async () => {
    sick.edit("INSERT INTO schema_migrations (name, applied_at) VALUES ('9999-later', 0)");
    await expectOnly('database-newer', /9999-later/);
    sick.edit("DELETE FROM schema_migrations WHERE name LIKE '9999%'");
    sick.edit("UPDATE schema_migrations SET name = '0001-schema-0123abcd'");
    await expectOnly('database-unusable', /made by a build before 0\.1\.0 .*0001-schema-0123abcd/);
    sick.edit('DELETE FROM schema_migrations');
    await expectOnly('database-older', /1 migrations .* notary migrate/);
    for (const end of ['-wal', '-shm']) rmSync(`${sick.file}${end}`, { force: true });
    writeFileSync(sick.file, 'this is no database, though it bears its name');
    await expectOnly('database-unusable', /is no SQLite database/);
  });

  it('that is away, or reached in the clear, with the password nowhere', async () => {
    const findings = await sick.findings({ DATABASE_URL: 'mysql://app:hidden@db.invalid/notary' });
    expect(codesOf(findings)).toEqual(['database-in-the-clear', 'database-unusable']);
    expect(JSON.stringify(findings)).not.toContain('hidden');
    await expectOnly('database-unusable', /MySQL at 127.0.0.1:1 refuses/, {
      DATABASE_URL: 'mysql://app:hidden@127.0.0.1:1/notary',
    });
  });
});

describe.each(databases().filter(({ name }) => name === 'mysql'))('$name', (kind) => {
  it('a user who may drop what is sealed is too strong', async () => {
    const database = await kind.open({ migrated: false });
    try {
      const mysql = new SickNotary();
      mysql.env['DATABASE_URL'] = database.url;
      await mysql.prepare();
      const found = (await mysql.findings()).find(
        ({ code }) => code === 'database-user-too-strong',
      );
      expect(found?.message).toMatch(/ALL PRIVILEGES|DROP/);
      mysql.remove();
    } finally {
      await database.drop();
    }
  });
});
