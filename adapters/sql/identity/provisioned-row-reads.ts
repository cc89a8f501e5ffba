import type { Kind } from '../../../application/ports/kinds.ts';
import type {
  ForgottenRow,
  ProvisionedRow,
  ProvisionedRowReads,
} from '../../../application/ports/provisioned-rows.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findAll } from '../tables/find.ts';
import { PROVISIONED_ROWS } from './provisioned-row.ts';
import type { Reader } from '../tables/reader.ts';
import { provisionedAmong } from './provisioned-row-store.ts';
import { uuidFromSql } from '../base/values.ts';

export class SqlProvisionedRowReads implements ProvisionedRowReads {
  constructor(private readonly reader: Reader) {}

  all(): Promise<readonly ProvisionedRow[]> {
    return findAll(this.reader, PROVISIONED_ROWS, PROVISIONED_ROWS.select, []);
  }

  async forgotten(): Promise<readonly ForgottenRow[]> {
    const rows = await this.reader.all<{ readonly kind: Kind; readonly id: Uint8Array }>(
      FORGOTTEN,
      [],
    );
    return rows.map(({ kind, id }) => ({ kind, id: uuidFromSql(id) }));
  }

  among(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    return provisionedAmong(this.reader, ids);
  }
}

/** Record types say nowhere else who made them. */
const IN_USE = [
  ['orgs', 'orgs', '1 = 1'],
  ['agents', 'agents', 't.deactivated_at IS NULL'],
  ['api-keys', 'api_keys', 't.is_active = 1'],
  ['webhooks', 'webhook_subscriptions', 't.deleted_at IS NULL AND t.is_inactive = 0'],
  ['trusted-issuers', 'trusted_issuers', 't.enabled = 1'],
] as const satisfies readonly (readonly [Kind, string, string])[];

const FORGOTTEN = `${IN_USE.map(
  ([kind, table, isInUse]) =>
    `SELECT '${kind}' AS kind, t.id AS id FROM ${table} t LEFT JOIN provisioned_rows p ON p.id = t.id WHERE t.managed_by IS NOT NULL AND p.id IS NULL AND ${isInUse}`,
).join(' UNION ALL ')} LIMIT 1000`;
