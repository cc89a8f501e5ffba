import { AGENT_KEYS } from '../identity/agent-key-row.ts';
import { CERT_KEYS, EPHEMERAL_CERTS, TRUSTED_ISSUERS } from '../identity/certificate-row.ts';
import { AGENTS, API_KEYS, ORGS } from '../identity/identity-row.ts';
import { IDEMPOTENCY } from '../idempotency/idempotency-row.ts';
import { COMPLIANCE_EXPORTS } from '../audit/compliance-export-row.ts';
import { EVENT_SUMS } from '../events/event-sums-row.ts';
import { EVENT_COUNTER, OUTBOX } from '../events/outbox-row.ts';
import { AGENT_REFERENCES } from '../records/reference-row.ts';
import { DEAD_LETTERS, DELIVERIES, SUBSCRIPTIONS } from '../delivery/webhook-row.ts';
import {
  FORMER_PEER_KEYS,
  HUB_KEYS,
  PEER_KEY_STATEMENTS,
  PEERS,
  PENDING_PEERS,
} from '../federation/peer-row.ts';
import { PROVISIONED_ROWS } from '../identity/provisioned-row.ts';
import { RATE_LIMIT_EXEMPTIONS } from '../identity/rate-limit-exemption-row.ts';
import { SIEM_SINKS } from '../events/sink-row.ts';
import { WITNESSES } from '../identity/witness-row.ts';
import { INCOMING, MIRRORS, OUTGOING } from '../federation/federation-row.ts';
import type { SealedTable } from '../tables/sealed-table.ts';

/** Every table whose rows carry a MAC. */
export const SEALED_TABLES: readonly SealedTable[] = [
  ORGS,
  AGENTS,
  AGENT_KEYS,
  AGENT_REFERENCES,
  API_KEYS,
  TRUSTED_ISSUERS,
  EPHEMERAL_CERTS,
  CERT_KEYS,
  WITNESSES,
  PROVISIONED_ROWS,
  RATE_LIMIT_EXEMPTIONS,
  HUB_KEYS,
  PEERS,
  PENDING_PEERS,
  PEER_KEY_STATEMENTS,
  FORMER_PEER_KEYS,
  SIEM_SINKS,
  COMPLIANCE_EXPORTS,
  OUTBOX,
  EVENT_COUNTER,
  EVENT_SUMS,
  SUBSCRIPTIONS,
  DELIVERIES,
  DEAD_LETTERS,
  MIRRORS,
  OUTGOING,
  INCOMING,
  IDEMPOTENCY,
];
