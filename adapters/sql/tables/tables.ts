import type { Table } from '../base/session.ts';
import type { Members } from './column.ts';
import { ColumnMap } from './column-map.ts';

/** A table whose rows are values of the domain. */
export class MappedTable<M extends Members> extends ColumnMap<M> implements Table {
  /** `SELECT a, b FROM name`. */
  readonly select: string;

  constructor(
    readonly name: string,
    readonly order: number,
    members: M,
  ) {
    super(members);
    this.select = `SELECT ${this.columnList} FROM ${name}`;
  }
}

export const table = <M extends Members>(name: TableName, members: M): MappedTable<M> =>
  new MappedTable(name, orderOf(name), members);

export type TableName = (typeof ORDER)[number];

export const orderOf = (name: TableName): number => ORDER.indexOf(name);

/** All tables that take inserts, in an order that satisfies the foreign keys. */
const ORDER = [
  'instance',
  'secret_checks',
  'orgs',
  'agents',
  'agent_keys',
  'agent_references',
  'api_keys',
  'trusted_issuers',
  'ephemeral_certs',
  'cert_keys',
  'spent_tokens',
  'publishers',
  'record_types',
  'records',
  'record_contents',
  'completions',
  'record_references',
  'disputes',
  'dispute_evidence',
  'federation_mirrors',
  'federation_outgoing',
  'federation_incoming',
  // Entries are refused that no active key signed.
  'vault_signing_keys',
  'chain_heads',
  'chain_entries',
  'co_signed_requests',
  'co_signed_entries',
  'vault_key_statements',
  'sealed_keys',
  'vault_checkpoints',
  'anchored_checkpoints',
  'anchor_sweeps',
  'rewind_findings',
  'org_admin_reads',
  'org_admin_reads_checkpoints',
  'org_reads_cosignatures',
  'witnesses',
  'hub_keys',
  'federation_peers',
  'pending_peers',
  'peer_nonces',
  'peer_key_statements',
  'former_peer_keys',
  'scitt_statements',
  'scitt_leaves',
  'checkpoint_timestamps',
  'vault_scans',
  'siem_sinks',
  'compliance_exports',
  'compliance_export_pieces',
  'outbox',
  'event_counter',
  'event_sums',
  'webhook_subscriptions',
  'webhook_readers',
  'webhook_deliveries',
  'webhook_bodies',
  'webhook_dlq',
  'federation_lanes',
  'federation_breakers',
  'provisioned_rows',
  'rate_limit_exemptions',
  'idempotency',
] as const;
