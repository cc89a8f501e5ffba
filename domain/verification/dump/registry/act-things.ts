export interface Thing {
  readonly what: string;
  /** Of an act that names it, or several of its kind. */
  readonly member: string;
  /** The acts in which the member names a thing of this kind; without it, all acts. */
  readonly of?: ReadonlySet<string>;
  /** The acts that establish it; none if this member only names it. */
  readonly makers?: ReadonlySet<string>;
  /** Even after its end there is no other one. */
  readonly isMadeOnce?: boolean;
  readonly ender?: string;
  /** The act that brings it back, and needs an end before it. */
  readonly reviver?: string;
  /** The acts that may still name it after its end; 'any': all but its ender. */
  readonly naming?: ReadonlySet<string> | 'any';
}

const made = (what: string, member: string, ...makers: readonly string[]): Thing => ({
  what,
  member,
  makers: new Set(makers),
});
const madeOnce = (what: string, member: string, ...makers: readonly string[]): Thing => ({
  ...made(what, member, ...makers),
  isMadeOnce: true,
});

/** The things that administrative acts make, end and name. */
export const THINGS: readonly Thing[] = [
  madeOnce('org', 'orgId', 'ORG_CREATED'),
  madeOnce('slug', 'slug', 'ORG_CREATED'),
  madeOnce('publisher', 'publisher', 'PUBLISHER_CLAIMED'),
  {
    ...madeOnce('agent', 'agentId', 'AGENT_CREATED'),
    ender: 'AGENT_DEACTIVATED',
    reviver: 'AGENT_REACTIVATED',
    naming: 'any',
  },
  // A key rotates once. It may work on for a while, and be revoked meanwhile.
  { what: 'API key', member: 'previousApiKeyId', ender: 'API_KEY_ROTATED' },
  {
    ...madeOnce('API key', 'apiKeyId', 'API_KEY_MINTED', 'API_KEY_ROTATED'),
    ender: 'API_KEY_REVOKED',
    reviver: 'API_KEY_REENABLED',
    naming: new Set(['API_KEY_REVOKED', 'API_KEY_REENABLED']),
  },
  { ...madeOnce('trusted issuer', 'issuerId', 'ISSUER_CREATED'), ender: 'ISSUER_DELETED' },
  madeOnce('certificate', 'certId', 'CERT_ISSUED'),
  { what: 'certificate', member: 'certIds' },
  { ...madeOnce('witness', 'witnessKeyId', 'WITNESS_ADDED'), ender: 'WITNESS_REMOVED' },
  {
    ...madeOnce('signing key', 'thumbprint', 'SIGNING_KEY_ADDED'),
    of: new Set(['SIGNING_KEY_ADDED', 'SIGNING_KEY_REVOKED']),
    ender: 'SIGNING_KEY_REVOKED',
  },
  {
    ...madeOnce('hub key of', 'hubId', 'HUB_KEY_CREATED'),
    of: new Set(['HUB_KEY_CREATED', 'HUB_KEY_CHANGED']),
  },
  madeOnce('export', 'exportId', 'EXPORT_TAKEN'),
  {
    ...made('rate-limit exemption of', 'ownerId', 'RATE_LIMIT_EXEMPTED'),
    of: new Set(['RATE_LIMIT_EXEMPTED', 'RATE_LIMIT_RESTORED']),
    ender: 'RATE_LIMIT_RESTORED',
  },
  made('peer', 'peerHubId', 'PEER_REGISTERED', 'PEER_APPROVED'),
  {
    ...madeOnce('subscription', 'subscriptionId', 'WEBHOOK_CREATED'),
    ender: 'WEBHOOK_DELETED',
    // Earlier builds opened and closed the breaker of a deleted one, and sealed that.
    naming: new Set(['WEBHOOK_UPDATED']),
  },
];
