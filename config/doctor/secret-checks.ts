import { HkdfSecretMac } from '../../adapters/keys/hkdf-secret-mac.ts';
import type { SqlAdapter } from '../../adapters/sql/sql-adapter.ts';
import { rowKeysOf } from '../../adapters/keys/row-keys.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { KnownSecrets } from '../../application/operations/known-secrets.ts';
import type { SecretName } from '../../application/operations/secret-checks.port.ts';
import { loadSecrets, wrongSecrets, type Secrets } from '../secrets.ts';
import { SettingsError } from '../settings-error.ts';
import type { Settings } from '../settings-table.ts';
import { finding, type Finding } from './finding.ts';

const NAMES: readonly SecretName[] = ['API_KEY_PEPPER', 'SECRETS_KEY', 'SIGNER_KEK'];

export const madeByItself = (settings: Settings): readonly Finding[] => {
  const names = NAMES.filter((name) => settings[name] === null);
  if (names.length === 0) return [];
  return [
    finding(
      'secrets-made-by-itself',
      names.join(', '),
      `The service makes them at its first start, in ${settings.KEYS_DIR}, and nobody else has them: without them the database is of no use. Copy that directory to another place than the backups of the database, or set ${names.map((name) => `${name}_FILE`).join(', ')}.`,
    ),
  ];
};

export interface OpenedSecrets {
  /** Null where a secret is missing or wrong. */
  readonly secrets: Secrets | null;
  readonly findings: readonly Finding[];
}

/** The secrets of a database that is in use. Nothing is made or written. */
export const openSecrets = async (settings: Settings, sql: SqlAdapter): Promise<OpenedSecrets> => {
  try {
    const secrets = await loadSecrets(settings, true);
    const known = new KnownSecrets(sql.secretChecks, new HkdfSecretMac(), new SystemClock());
    const faults = await known.faults({
      API_KEY_PEPPER: secrets.pepper,
      SECRETS_KEY: secrets.secretsKey,
      SIGNER_KEK: [secrets.signerKek],
    });
    if (faults.length > 0) throw wrongSecrets(faults, settings);
    sql.useRowKeys(rowKeysOf(secrets.secretsKey));
    if (await sql.needsOtherRowKeys())
      throw wrongSecrets([{ name: 'SECRETS_KEY', fault: 'needed' }], settings);
    return { secrets, findings: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const findings = error.problems.map(({ name, message }) =>
      finding('secret-wrong', name, message),
    );
    return { secrets: null, findings };
  }
};
