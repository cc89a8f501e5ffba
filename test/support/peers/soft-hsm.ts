import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIBRARIES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];

const isThere = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const library = (): string | null =>
  isThere('softhsm2-util') && isThere('pkcs11-tool')
    ? (LIBRARIES.find((file) => existsSync(file)) ?? null)
    : null;

/** For the one line that says whether the suites with an HSM run. */
export const softHsmAnnouncement = (): string =>
  library()
    ? 'HSM suites: they run, on SoftHSM.'
    : 'HSM suites: they did not run (apt-get install softhsm2 opensc).';

const PIN = '1234';

/** A token of SoftHSM. The library sees at its start which tokens there are, so a process has one, for all suites in it. */
export class SoftHsm {
  readonly token = 'notary-tests';
  readonly pin = PIN;

  private constructor(readonly module: string) {}

  /** @throws Error where REQUIRE_SOFTHSM=1 and it is not. */
  static isInstalled(): boolean {
    return SoftHsm.library() !== null;
  }

  /**
   * @returns null where SoftHSM is not installed.
   * @throws Error where REQUIRE_SOFTHSM=1 and it is not.
   */
  static open(): SoftHsm | null {
    const module = SoftHsm.library();
    if (!module) return null;
    const hsm = new SoftHsm(module);
    if (process.env['SOFTHSM2_CONF']?.includes('notary-hsm-')) return hsm;
    const directory = mkdtempSync(join(tmpdir(), 'notary-hsm-'));
    mkdirSync(join(directory, 'tokens'));
    writeFileSync(
      join(directory, 'softhsm2.conf'),
      `directories.tokendir = ${join(directory, 'tokens')}\nlog.level = ERROR\n`,
    );
    process.env['SOFTHSM2_CONF'] = join(directory, 'softhsm2.conf');
    execFileSync(
      'softhsm2-util',
      ['--init-token', '--free', '--label', hsm.token, '--pin', PIN, '--so-pin', '5678'],
      { stdio: 'ignore' },
    );
    return hsm;
  }

  private static library(): string | null {
    const module = library();
    if (!module && process.env['REQUIRE_SOFTHSM'] === '1')
      throw new Error('REQUIRE_SOFTHSM=1, but softhsm2 and opensc are not installed');
    return module;
  }

  /** Makes a key pair in the token. */
  addKey(label: string, type: 'EC:prime256v1' | 'EC:edwards25519', ...more: string[]): this {
    execFileSync(
      'pkcs11-tool',
      [
        ...['--module', this.module, '--token-label', this.token, '--login', '--pin', PIN],
        ...['--keypairgen', '--key-type', type, '--label', label, '--usage-sign', ...more],
      ],
      { stdio: 'ignore' },
    );
    return this;
  }

  /** The settings that name a key of it. */
  env(key: string): Record<string, string> {
    return {
      SIGNER: 'pkcs11',
      PKCS11_MODULE: this.module,
      PKCS11_TOKEN: this.token,
      PKCS11_PIN: this.pin,
      PKCS11_KEY: key,
    };
  }
}
