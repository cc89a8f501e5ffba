import type { NumberedEvent } from '../event/event.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';

/** The object `managed_entity` of OCSF 1.4.0, as far as it is used. */
export interface OcsfEntity {
  readonly uid: string;
  readonly type: string;
  readonly name?: string;
  readonly version?: string;
}

interface EntityRow {
  readonly type: string;
  /** Members of the data that may name it, the best first. */
  readonly uid: readonly string[];
  readonly name?: string;
  readonly version?: string;
}

/** What an event is about, by the beginning of its type; the longest one counts. */
const ENTITIES: readonly (readonly [prefix: string, row: EntityRow])[] = [
  ['agent.', { type: 'agent', uid: ['agentId'] }],
  ['signal.', { type: 'signal', uid: ['signalId'] }],
  ['dispute.', { type: 'dispute', uid: ['disputeId'] }],
  ['issuer.', { type: 'issuer', uid: ['issuerId', 'id'], name: 'issuerUrl' }],
  [
    'schema.',
    { type: 'schema', uid: ['manifestDigest', 'type'], name: 'type', version: 'version' },
  ],
  ['peer.', { type: 'peer', uid: ['peerHubId'], name: 'name' }],
  ['witness.', { type: 'witness', uid: ['witnessKeyId'], name: 'name' }],
  ['admin.org_', { type: 'org', uid: ['aboutOrgId'], name: 'name' }],
  ['admin.rate_limit_', { type: 'agent', uid: ['ownerId'] }],
  ['provisioning.', { type: 'provisioning', uid: [] }],
  ['vault.key_', { type: 'signing_key', uid: ['newKeyId'] }],
  ['vault.rewind_', { type: 'chain', uid: ['chainKey'] }],
  ['vault.scan_', { type: 'vault_scan', uid: ['jobId', 'scanId'] }],
  ['vault.tamper_', { type: 'vault', uid: [] }],
  ['webhook.', { type: 'webhook', uid: ['subscriptionId', 'webhookId', 'id'] }],
  ['compliance.', { type: 'compliance_export', uid: ['exportId'] }],
];

/** A name is free text somewhere: a line has to fit into 1,024 bytes all the same. */
const MAX_CHARACTERS = 96;

/** @param hubId stands for what has no id of its own. */
export const entityOf = (event: NumberedEvent, hubId: string): OcsfEntity => {
  const row = ENTITIES.find(([prefix]) => event.type.startsWith(prefix))?.[1];
  if (!row) return aboutRecord(event, hubId);
  const { data, agentId } = event;
  const named = row.uid.map((member) => textOf(data, member)).find((uid) => uid !== undefined);
  const name = row.name && textOf(data, row.name);
  const version = row.version && textOf(data, row.version);
  return {
    uid: named ?? (row.type === 'agent' ? agentId : null) ?? event.orgId ?? hubId,
    type: row.type,
    ...(name ? { name } : {}),
    ...(version ? { version } : {}),
  };
};

const aboutRecord = ({ recordId, recordType, data }: NumberedEvent, hubId: string): OcsfEntity => ({
  uid: recordId ?? textOf(data, 'recordId') ?? hubId,
  type: 'record',
  ...(recordType === null ? {} : { name: shortened(recordType) }),
});

const textOf = (data: JsonObject, member: string): string | undefined => {
  const value = data[member];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? shortened(value) : undefined;
};

const shortened = (text: string): string => asciiOf(text, MAX_CHARACTERS);

/** ASCII alone: whatever it says, it takes one byte for each character. */
export const asciiOf = (text: string, characters: number): string =>
  text.slice(0, characters).replace(/[^ !#-[\]-~]/g, '_');
