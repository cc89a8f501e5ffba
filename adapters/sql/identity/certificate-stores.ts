import type {
  CertStore,
  TrustedIssuerStore,
} from '../../../domain/identity/certificate-store.port.ts';
import type { EphemeralCert, KeyHolder } from '../../../domain/identity/ephemeral-cert.ts';
import type { TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { CERT_KEYS, EPHEMERAL_CERTS, SPENT_TOKENS, TRUSTED_ISSUERS } from './certificate-row.ts';
import { exists, findAll, findOne } from '../tables/find.ts';
import { placeholders } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { changesOf, reseal } from '../tables/reseal.ts';
import { timeToSql, uuidToSql } from '../base/values.ts';

export class SqlTrustedIssuerStore implements TrustedIssuerStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(issuer: TrustedIssuer): Promise<void> {
    this.unit.insert(TRUSTED_ISSUERS, TRUSTED_ISSUERS.toRow(issuer));
  }

  lock(id: Uuid): Promise<TrustedIssuer | null> {
    const sql = ISSUER_BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, TRUSTED_ISSUERS, sql, [uuidToSql(id)]);
  }

  /** @throws Error where there is no such row. */
  async update(issuer: TrustedIssuer): Promise<void> {
    const row = ['id = ?', uuidToSql(issuer.id)] as const;
    const changed = await reseal(this.unit, TRUSTED_ISSUERS, row, changesOf(CHANGED, issuer));
    if (changed !== 1) throw new Error(`there is no trusted issuer ${issuer.id}`);
  }

  async delete(id: Uuid): Promise<void> {
    await this.unit.run('DELETE FROM trusted_issuers WHERE id = ?', [uuidToSql(id)]);
  }

  hasAdminAccess(orgId: Uuid): Promise<boolean> {
    const sql =
      "SELECT 1 FROM trusted_issuers WHERE org_id = ? AND applies_to = 'admin' AND enabled = 1 AND subject_allowlist <> '[]' LIMIT 1";
    return exists(this.unit, sql, [uuidToSql(orgId)]);
  }
}

export class SqlCertStore implements CertStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(cert: EphemeralCert): Promise<void> {
    this.unit.insert(EPHEMERAL_CERTS, EPHEMERAL_CERTS.toRow(cert));
  }

  lock(id: Uuid): Promise<EphemeralCert | null> {
    const sql = CERT_BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, EPHEMERAL_CERTS, sql, [uuidToSql(id)]);
  }

  async revoke(ids: readonly Uuid[], revokedAt: string): Promise<void> {
    if (ids.length === 0) return;
    const rows = [`id IN (${placeholders(ids.length)})`, ...ids.map(uuidToSql)] as const;
    await reseal(this.unit, EPHEMERAL_CERTS, rows, { revoked_at: timeToSql(revokedAt) });
  }

  async lockActiveOf(issuerId: Uuid, now: string): Promise<readonly EphemeralCert[]> {
    const sql = UNEXPIRED_CERTS_OF_ISSUER + this.unit.dialect.forUpdate;
    const values = [uuidToSql(issuerId), timeToSql(now)];
    const certs = await findAll(this.unit, EPHEMERAL_CERTS, sql, values);
    // Asked of the verified rows: a certificate that was only made to look revoked would be left out.
    return certs.filter(({ revokedAt }) => revokedAt === null);
  }

  hasMinted(issuerId: Uuid): Promise<boolean> {
    const sql = 'SELECT 1 FROM ephemeral_certs WHERE issuer_id = ? LIMIT 1';
    return exists(this.unit, sql, [uuidToSql(issuerId)]);
  }

  keyHolder(publicKey: Uint8Array): Promise<KeyHolder | null> {
    return findOne(this.unit, CERT_KEYS, `${CERT_KEYS.select} WHERE public_key = ?`, [publicKey]);
  }

  async bindKey(publicKey: Uint8Array, holder: KeyHolder): Promise<void> {
    this.unit.insert(CERT_KEYS, CERT_KEYS.toRow({ ...holder, publicKey }));
  }

  isSpent(token: Uint8Array): Promise<boolean> {
    return exists(this.unit, 'SELECT 1 FROM spent_tokens WHERE token = ?', [token]);
  }

  async spend(token: Uint8Array, until: string): Promise<void> {
    this.unit.insert(SPENT_TOKENS, SPENT_TOKENS.toRow({ token, expiresAt: until }));
  }
}

export const ISSUER_BY_ID = `${TRUSTED_ISSUERS.select} WHERE id = ?`;
export const CERT_BY_ID = `${EPHEMERAL_CERTS.select} WHERE id = ?`;

const UNEXPIRED_CERTS_OF_ISSUER = `${EPHEMERAL_CERTS.select} WHERE issuer_id = ? AND expires_at > ? ORDER BY expires_at, id`;

/** What a PATCH may change, and what moves with it. */
const CHANGED = TRUSTED_ISSUERS.only(
  'jwksUri',
  'expectedAudience',
  'claimMapping',
  'maxCredentialTtlSeconds',
  'enabled',
  'subjectAllowlist',
  'requireProof',
  'requireCoSignature',
  'updatedAt',
  'version',
);
