export const DESCRIPTION = [
  'Records what agents are authorized to do and what they report back, in signed, hash-chained entries that anyone can verify offline.',
  'Errors are problem documents (RFC 9457). Unknown body members and query parameters are refused. Paths in answers (href, Location, schemaUrl, refreshUrl) are relative to the base URL.',
  'A POST may carry an Idempotency-Key: the answer is kept for 24 hours and given again to whoever repeats the request.',
].join('\n\n');

export const TAGS = [
  { name: 'Records', description: 'Opening and reading records' },
  { name: 'Transitions', description: 'Moving a record through its lifecycle' },
  { name: 'Completions', description: 'Delivering work, and judging it' },
  { name: 'Disputes', description: 'Objections to the outcome of a record' },
  { name: 'Audit', description: 'Exports for offline verification' },
  { name: 'Schemas', description: 'Record types' },
  { name: 'Agents', description: 'Agents' },
  { name: 'Authentication', description: 'The calling credential' },
  { name: 'Administration', description: 'Orgs, agents and keys' },
  { name: 'Vault', description: 'Signing keys, checkpoints and anchors, for the operator' },
  { name: 'Verification', description: 'What an auditor needs' },
  { name: 'Discovery', description: 'The closed sets of the service, as data' },
  { name: 'Operations', description: 'Health' },
  { name: 'Documentation', description: 'This document' },
];
