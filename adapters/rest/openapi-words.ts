export const DESCRIPTION = [
  'Records what agents are authorized to do and what they report back, in signed, hash-chained entries that anyone can verify offline.',
  'Errors are problem documents (RFC 9457). Unknown body members and query parameters are refused. Paths in answers (href, Location, schemaUrl, refreshUrl) are relative to the base URL.',
  'A POST may carry an Idempotency-Key: the answer is kept for 24 hours and given again to whoever repeats the request, with the header Idempotency-Replayed and with null in the place of a secret.',
  'A path answers 405 to a method that it does not list (MethodNotAllowed), and HEAD and OPTIONS everywhere.',
].join('\n\n');

export const TAGS = [
  { name: 'Records', description: 'Opening and reading records' },
  { name: 'Transitions', description: 'Moving a record through its lifecycle' },
  { name: 'Completions', description: 'Delivering work, and judging it' },
  { name: 'Disputes', description: 'Objections to the outcome of a record' },
  { name: 'Events', description: 'What happened, for whoever follows it' },
  { name: 'Webhooks', description: 'Telling receivers what happens' },
  { name: 'Audit', description: 'Exports for offline verification' },
  { name: 'Transparency', description: 'The log of each org (SCITT): receipts and proofs' },
  { name: 'Schemas', description: 'Record types' },
  { name: 'Agents', description: 'Agents' },
  { name: 'Authentication', description: 'The calling credential' },
  { name: 'Administration', description: 'Orgs, agents and keys' },
  { name: 'Federation', description: 'Other hubs, and who this one is to them' },
  { name: 'Vault', description: 'Signing keys, checkpoints and anchors, for the operator' },
  { name: 'Verification', description: 'What an auditor needs' },
  { name: 'Discovery', description: 'The closed sets of the service, as data' },
  { name: 'Operations', description: 'Health' },
  { name: 'Documentation', description: 'This document' },
];

interface ParameterWords {
  readonly words: string;
  /** The name of the component, where several operations have the parameter under the same name. */
  readonly component?: string;
}

/** What a parameter of a path names, by the segments up to it. The paths are REST's own, and so are these words. */
const IN_PATHS: { readonly [place: string]: ParameterWords } = {
  '/v1/records/{id}': { words: 'Id of the record', component: 'RecordId' },
  '/v1/records/{recordId}': { words: 'Id of the record' },
  '/completions/{completionId}': { words: 'Id of the completion' },
  '/v1/disputes/{disputeId}': { words: 'Id of the dispute' },
  '/v1/schemas/{type}': { words: 'Name of the record type', component: 'RecordTypeName' },
  '/v1/agents/{agentId}': { words: 'Id of the agent', component: 'AgentId' },
  '/signing-keys/{thumbprint}': { words: 'Thumbprint of the key, as its agent shows it' },
  '/v1/admin/vault/scan/{jobId}': { words: 'Id of the scan' },
  '/v1/webhooks/{id}': { words: 'Id of the webhook', component: 'WebhookId' },
  '/dlq/{dlqId}': { words: 'Id of the entry of the DLQ' },
  '/v1/admin/webhooks/{id}': { words: 'Id of the webhook' },
  '/v1/admin/webhook-dlq/{dlqId}': { words: 'Id of the entry of the DLQ' },
  '/v1/admin/orgs/{id}': { words: 'Id of the org' },
  '/v1/admin/agents/{id}': { words: 'Id of the agent' },
  '/v1/admin/api-keys/{keyId}': { words: 'Id of the API key' },
  '/v1/admin/trusted-issuers/{id}': {
    words: 'Id of the trusted issuer',
    component: 'TrustedIssuerId',
  },
  '/v1/admin/ephemeral-certs/{id}': { words: 'Id of the certificate' },
  '/v1/admin/witnesses/{witnessKeyId}': { words: 'Id of the key of the witness' },
  '/v1/admin/rate-limit-exemptions/{ownerId}': {
    words: 'Id of the agent that owns the API keys or certificates',
    component: 'ExemptOwnerId',
  },
  '/v1/admin/federation/peers/{hubId}': { words: 'Id of the hub', component: 'PeerHubId' },
  '/v1/compliance/exports/{id}': { words: 'Id of the export', component: 'ComplianceExportId' },
  '/v1/audit/org-reads/checkpoints/{id}': {
    words: 'Id of the checkpoint',
    component: 'ReadsCheckpointId',
  },
};

/** Undefined where the schema of the parameter says it. */
export const parameterWords = (path: string, name: string): ParameterWords | undefined =>
  Object.entries(IN_PATHS).find(
    ([place]) => place.endsWith(`{${name}}`) && path.includes(place),
  )?.[1];
