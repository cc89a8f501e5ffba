import type {
  CertStore,
  TrustedIssuerStore,
} from '../../../domain/identity/certificate-store.port.ts';
import type { EphemeralCert, KeyHolder } from '../../../domain/identity/ephemeral-cert.ts';
import type { TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import {
  CERT_KEYS,
  certToRow,
  EPHEMERAL_CERTS,
  rowToCert,
  rowToKeyHolder,
  rowToTrustedIssuer,
  SPENT_TOKENS,
  TRUSTED_ISSUERS,
  trustedIssuerToRow,
  type CertKeyRow,
  type EphemeralCertRow,
  type TrustedIssuerRow,
} from '../rows/certificate-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { booleanToSql, jsonToSql, timeToSql, uuidToSql } from '../values.ts';

export class SqlTrustedIssuerStore implements TrustedIssuerStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(issuer: TrustedIssuer): Promise<void> {
    this.unit.insert(TRUSTED_ISSUERS, trustedIssuerToRow(issuer));
  }

  async lock(id: Uuid): Promise<TrustedIssuer | null> {
    const row = firstOf(
      await this.unit.all<TrustedIssuerRow>(ISSUER_BY_ID + this.unit.dialect.forUpdate, [
        uuidToSql(id),
      ]),
    );
    return row && rowToTrustedIssuer(row);
  }

  /** @throws Error where there is no such row. */
  async update(issuer: TrustedIssuer): Promise<void> {
    const changed = await this.unit.run(
      'UPDATE trusted_issuers SET jwks_uri = ?, expected_audience = ?, claim_mapping = ?, max_ttl_seconds = ?, enabled = ?, subject_allowlist = ?, require_proof = ?, require_co_signature = ?, updated_at = ?, row_mac = ? WHERE id = ?',
      [
        issuer.jwksUri,
        issuer.expectedAudience,
        jsonToSql(issuer.claimMapping),
        issuer.maxCredentialTtlSeconds,
        booleanToSql(issuer.enabled),
        jsonToSql(issuer.subjectAllowlist),
        issuer.requireProof,
        issuer.requireCoSignature,
        timeToSql(issuer.updatedAt),
        issuer.rowMac,
        uuidToSql(issuer.id),
      ],
    );
    if (changed !== 1) throw new Error(`there is no trusted issuer ${issuer.id}`);
  }

  async delete(id: Uuid): Promise<void> {
    await this.unit.run('DELETE FROM trusted_issuers WHERE id = ?', [uuidToSql(id)]);
  }

  async hasAdminDoor(orgId: Uuid): Promise<boolean> {
    return (
      (
        await this.unit.all(
          "SELECT 1 FROM trusted_issuers WHERE org_id = ? AND applies_to = 'admin' AND enabled = 1 AND subject_allowlist <> '[]' LIMIT 1",
          [uuidToSql(orgId)],
        )
      ).length > 0
    );
  }
}

export class SqlCertStore implements CertStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(cert: EphemeralCert): Promise<void> {
    this.unit.insert(EPHEMERAL_CERTS, certToRow(cert));
  }

  async lock(id: Uuid): Promise<EphemeralCert | null> {
    const row = firstOf(
      await this.unit.all<EphemeralCertRow>(CERT_BY_ID + this.unit.dialect.forUpdate, [
        uuidToSql(id),
      ]),
    );
    return row && rowToCert(row);
  }

  async revoke(ids: readonly Uuid[], revokedAt: string): Promise<void> {
    if (ids.length === 0) return;
    await this.unit.run(
      `UPDATE ephemeral_certs SET revoked_at = ? WHERE id IN (${ids.map(() => '?').join(', ')})`,
      [timeToSql(revokedAt), ...ids.map(uuidToSql)],
    );
  }

  async lockActiveOf(issuerId: Uuid, now: string): Promise<readonly EphemeralCert[]> {
    const rows = await this.unit.all<EphemeralCertRow>(
      `SELECT ${columnsOf(EPHEMERAL_CERTS)} FROM ephemeral_certs WHERE issuer_id = ? AND expires_at > ? AND revoked_at IS NULL ORDER BY expires_at, id${this.unit.dialect.forUpdate}`,
      [uuidToSql(issuerId), timeToSql(now)],
    );
    return rows.map(rowToCert);
  }

  async hasMinted(issuerId: Uuid): Promise<boolean> {
    return (
      (
        await this.unit.all('SELECT 1 FROM ephemeral_certs WHERE issuer_id = ? LIMIT 1', [
          uuidToSql(issuerId),
        ])
      ).length > 0
    );
  }

  async keyHolder(publicKey: Uint8Array): Promise<KeyHolder | null> {
    const row = firstOf(
      await this.unit.all<CertKeyRow>(
        'SELECT oidc_iss, oidc_sub, agent_id FROM cert_keys WHERE public_key = ?',
        [publicKey],
      ),
    );
    return row && rowToKeyHolder(row);
  }

  async bindKey(publicKey: Uint8Array, holder: KeyHolder): Promise<void> {
    this.unit.insert(CERT_KEYS, [
      publicKey,
      holder.oidcIss,
      holder.oidcSub,
      uuidToSql(holder.agentId),
    ]);
  }

  async isSpent(token: Uint8Array): Promise<boolean> {
    return (await this.unit.all('SELECT 1 FROM spent_tokens WHERE token = ?', [token])).length > 0;
  }

  async spend(token: Uint8Array, until: string): Promise<void> {
    this.unit.insert(SPENT_TOKENS, [token, timeToSql(until)]);
  }
}

export const ISSUER_BY_ID = `SELECT ${columnsOf(TRUSTED_ISSUERS)} FROM trusted_issuers WHERE id = ?`;
export const CERT_BY_ID = `SELECT ${columnsOf(EPHEMERAL_CERTS)} FROM ephemeral_certs WHERE id = ?`;
