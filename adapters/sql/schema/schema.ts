import { AGENT_TABLES } from './agents.ts';
import { ANCHOR_TABLES } from './anchors.ts';
import { API_KEY_TABLES } from './api-keys.ts';
import { CERTIFICATE_TABLES } from './certificates.ts';
import { CHAIN_TABLES } from './chains.ts';
import { COMPLETION_TABLES } from './completions.ts';
import { createTable, type TableDefinition, type Target } from './create-table.ts';
import { DISPUTE_TABLES } from './disputes.ts';
import { EVENT_TABLES } from './events.ts';
import { EXPORT_TABLES } from './exports.ts';
import { FEDERATION_TABLES } from './federation.ts';
import { INSTANCE_TABLES } from './instance.ts';
import { ORG_READS_TABLES } from './org-reads.ts';
import { ORG_TABLES } from './orgs.ts';
import { PEER_TABLES } from './peers.ts';
import { RECORD_TYPE_TABLES } from './record-types.ts';
import { RECORD_TABLES } from './records.ts';
import { TRANSPARENCY_TABLES } from './transparency.ts';
import { UPKEEP_TABLES } from './upkeep.ts';
import { VAULT_TABLES } from './vault.ts';
import { WEBHOOK_TABLES } from './webhooks.ts';

/** Every table, in an order in which each comes after the tables that it references. */
export const TABLES: readonly TableDefinition[] = [
  ...INSTANCE_TABLES,
  ...UPKEEP_TABLES,
  ...ORG_TABLES,
  ...AGENT_TABLES,
  ...API_KEY_TABLES,
  ...CERTIFICATE_TABLES,
  ...RECORD_TYPE_TABLES,
  ...RECORD_TABLES,
  ...COMPLETION_TABLES,
  ...DISPUTE_TABLES,
  ...CHAIN_TABLES,
  ...VAULT_TABLES,
  ...ANCHOR_TABLES,
  ...ORG_READS_TABLES,
  ...TRANSPARENCY_TABLES,
  ...EVENT_TABLES,
  ...WEBHOOK_TABLES,
  ...EXPORT_TABLES,
  ...PEER_TABLES,
  ...FEDERATION_TABLES,
];

/** The statements that create the whole schema, in order. */
export const createSchema = (target: Target): readonly string[] =>
  TABLES.flatMap((table) => createTable(table, target));
