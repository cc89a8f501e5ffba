import type { Table } from '../session.ts';

/** Every table that takes inserts, in an order in which foreign keys are met. */
const ORDER = [
  'instance',
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
  'completions',
  'record_references',
  'disputes',
  'dispute_evidence',
  'chain_heads',
  'chain_entries',
  'vault_signing_keys',
  'vault_key_statements',
  'sealed_keys',
  'vault_checkpoints',
  'outbox',
  'idempotency',
] as const;

export const table = (name: (typeof ORDER)[number], columns: readonly string[]): Table => ({
  name,
  columns,
  order: ORDER.indexOf(name),
});
