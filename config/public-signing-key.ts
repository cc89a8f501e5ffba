import { databaseExists } from '../adapters/sql/database/database-exists.ts';
import type { Log } from '../application/ports/log.port.ts';
import { proveSuccession } from '../application/sealing/prove-succession.ts';
import { fingerprintOf, publicKeyFromSpki } from '../domain/vault/cose-key.ts';
import { withStorage } from './service.ts';
import type { Settings } from './settings-table.ts';

export interface PublicSigningKey {
  readonly hubId: string;
  readonly keyId: string;
  /** SHA-256 of the SPKI, lowercase hex. */
  readonly fingerprint: string;
}

/**
 * What an auditor pins, as the platform chain proves it. It takes no secret and writes nothing; null
 * where no service was started on the database.
 */
export const publicSigningKey = async (
  settings: Settings,
  log: Log,
): Promise<PublicSigningKey | null> => {
  if (!databaseExists(settings.DATABASE_URL)) return null;
  return withStorage(settings, log, async (sql) => {
    await sql.assertKnownSchema();
    if (!(await sql.secretChecks.isInUse())) return null;
    const { hub, keys } = await proveSuccession(sql.reads.vaultKeys, sql.reads.chains);
    const [{ keyId, publicKey }] = keys;
    return { hubId: hub.hubId, keyId, fingerprint: fingerprintOf(publicKeyFromSpki(publicKey)) };
  });
};
