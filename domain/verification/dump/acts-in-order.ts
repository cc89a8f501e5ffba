import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { NameTable } from './name-table.ts';
import { PlatformRegistry, textOf } from './platform-registry.ts';

/**
 * The administrative acts of the platform chain, one after the other: an act names what earlier ones established and did not end,
 * is done by somebody whom earlier ones let in, and establishes nothing a second time. Positions are compared and no times, so no
 * clock makes what is genuine look forged.
 */
export class ActsInOrder {
  private readonly before = PlatformRegistry.empty();
  /** Whether each thing that an act made is there, or was ended. */
  private readonly things = new NameTable();

  /** What is wrong with the next act. */
  faultsOf(act: JsonObject): readonly string[] {
    const { entryType, actor } = act;
    const doer = isObject(actor) ? actor : {};
    // A certificate is issued to itself: who asks for it shows the token of its agent.
    const isOwn = entryType === 'CERT_ISSUED';
    const unknown = isOwn ? null : this.before.actorFault(doer, null);
    const foreign = this.belongingFault(act);
    this.before.take(act);
    this.own(act);
    const misnamed = THINGS.flatMap((thing) => this.thingFaults(thing, act));
    return [
      isOwn ? this.before.actorFault(doer, null) : unknown,
      reachFault(act, doer),
      ...(misnamed.length > 0 ? misnamed : [foreign]),
    ].filter((fault) => fault !== null);
  }

  /** Records the issuer and the org of a new certificate. */
  private own({ entryType, certId, issuerId, orgId = null }: JsonObject): void {
    if (entryType !== 'CERT_ISSUED') return;
    for (const org of [orgId, null]) this.things.set(ownedCert(certId, issuerId, org), THERE);
  }

  private thingFaults(thing: Thing, act: JsonObject): readonly string[] {
    const { what, member, makers = NONE, ender, reviver, naming = NONE, isMadeOnce } = thing;
    const entryType = textOf(act['entryType']);
    return listOf(act[member]).flatMap((id) => {
      const name = JSON.stringify([what, id]);
      const state = this.things.get(name)?.[0];
      const isMaker = makers.has(entryType);
      if (isMaker || entryType === reviver) this.things.set(name, THERE);
      else if (entryType === ender) this.things.set(name, ENDED);
      if (isMaker)
        return isMadeOnce && state !== undefined
          ? [`an earlier entry established the ${what} ${textOf(id)}`]
          : [];
      if (state === undefined)
        return [`no earlier entry of the platform chain establishes the ${what} ${textOf(id)}`];
      return state === ENDED && !naming.has(entryType)
        ? [`an earlier entry ended the ${what} ${textOf(id)}`]
        : [];
    });
  }

  /** What the act says of a thing has to be what its maker said: whose it is, and of which org. */
  private belongingFault(act: JsonObject): string | null {
    const { before } = this;
    const { entryType, orgId = null, actor, agentId, ownerId, ownerType, role, issuerId } = act;
    switch (entryType) {
      case 'AGENT_CREATED':
        return null;
      case 'API_KEY_MINTED':
        return this.ownerFault(ownerId ?? null, orgId);
      case 'API_KEY_ROTATED':
        return before.keyFault(act['previousApiKeyId'], role, ownerId, orgId);
      case 'API_KEY_REVOKED':
      case 'API_KEY_REENABLED':
        return before.keyFault(act['apiKeyId'], role, ownerId, orgId);
      case 'RATE_LIMIT_EXEMPTED':
      case 'RATE_LIMIT_RESTORED':
        return before.agentFault(ownerId ?? null, orgId);
      case 'WEBHOOK_CREATED':
      case 'WEBHOOK_UPDATED':
      case 'WEBHOOK_DELETED':
      case 'WEBHOOK_SECRET_ROTATED':
        if (ownerType === 'agent') return before.agentFault(ownerId ?? null, orgId);
        return ownerType === 'org' && ownerId !== orgId
          ? `a subscription of the org ${textOf(ownerId)} is in the org ${textOf(orgId)}`
          : null;
      case 'CERT_REVOKED':
        return this.certFault(act);
      case 'ISSUER_UPDATED':
      case 'ISSUER_DELETED':
        return before.issuerFault(issuerId, act['issuerUrl'], orgId);
      case 'CERT_ISSUED': {
        const { oidc } = isObject(actor) ? actor : {};
        const { iss } = isObject(oidc) ? oidc : {};
        return (
          before.agentFault(agentId ?? null, orgId) ??
          (before.issuerFault(issuerId, iss, orgId) && before.issuerFault(issuerId, iss, null))
        );
      }
      default:
        return agentId === undefined ? null : before.agentFault(agentId, orgId);
    }
  }

  /** Certificates are revoked under their issuer, and by an act of one org only those of that org. */
  private certFault({ certIds, issuerId, orgId = null }: JsonObject): string | null {
    const other = listOf(certIds).find(
      (certId) =>
        this.things.get(JSON.stringify(['certificate', certId])) &&
        !this.things.get(ownedCert(certId, issuerId, orgId)),
    );
    return other === undefined
      ? null
      : `no earlier entry of the platform chain establishes the certificate ${textOf(other)} of the issuer ${textOf(issuerId)} in the org ${textOf(orgId)}`;
  }

  private ownerFault(ownerId: JsonValue, orgId: JsonValue): string | null {
    if (orgId !== null) return this.before.agentFault(ownerId, orgId);
    return this.things.get(JSON.stringify(['agent', ownerId]))
      ? null
      : `no earlier entry of the platform chain establishes the agent ${textOf(ownerId)}`;
  }
}

/** @param orgId null for an act that revokes certificates of several orgs. */
const ownedCert = (
  certId: JsonValue | undefined,
  issuerId: JsonValue | undefined,
  orgId: JsonValue,
): string => JSON.stringify(['certificate', certId, issuerId, orgId]);

const THERE = 1;
const ENDED = 2;
const NONE: ReadonlySet<string> = new Set();

interface Thing {
  readonly what: string;
  /** Of an act that names it, or several of its kind. */
  readonly member: string;
  /** The acts that establish it; none where this member only names it. */
  readonly makers?: ReadonlySet<string>;
  /** Even after its end there is no other one. */
  readonly isMadeOnce?: boolean;
  readonly ender?: string;
  /** The act that brings it back. */
  readonly reviver?: string;
  /** The acts that may still name it after its end. */
  readonly naming?: ReadonlySet<string>;
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

const THINGS: readonly Thing[] = [
  madeOnce('org', 'orgId', 'ORG_CREATED'),
  madeOnce('slug', 'slug', 'ORG_CREATED'),
  madeOnce('publisher', 'publisher', 'PUBLISHER_CLAIMED'),
  madeOnce('agent', 'agentId', 'AGENT_CREATED'),
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
  { ...made('witness', 'witnessKeyId', 'WITNESS_ADDED'), ender: 'WITNESS_REMOVED' },
  made('peer', 'peerHubId', 'PEER_REGISTERED', 'PEER_APPROVED'),
  {
    ...madeOnce('subscription', 'subscriptionId', 'WEBHOOK_CREATED'),
    ender: 'WEBHOOK_DELETED',
    // An operator could open and close the breaker of a deleted one, and there are chains that say so.
    naming: new Set(['WEBHOOK_UPDATED']),
  },
];

/** The acts that a credential does for its own agent alone, and the member that names the agent. */
const OF_ITSELF: Readonly<Record<string, string>> = {
  AGENT_CAPABILITIES_CHANGED: 'agentId',
  ENCRYPTION_KEY_SET: 'agentId',
  SIGNING_KEY_ADDED: 'agentId',
  SIGNING_KEY_REVOKED: 'agentId',
  AGENT_REFERENCE_ADDED: 'agentId',
  API_KEY_ROTATED: 'ownerId',
  CERT_ISSUED: 'agentId',
};

/** An admin or an agent acts in its own org. */
export const foreignFault = (doer: JsonObject, orgId: JsonValue): string | null => {
  const { kind, orgId: own = null } = doer;
  return (kind === 'admin' || kind === 'agent') && own !== orgId
    ? `the ${kind} of the org ${textOf(own)} acts in the org ${textOf(orgId)}`
    : null;
};

/** Nobody acts beyond its reach: an admin or an agent in its org, an agent for itself, a peer about itself. */
const reachFault = (act: JsonObject, doer: JsonObject): string | null => {
  const { entryType, orgId = null, certId, ownerType } = act;
  const { kind, orgId: own = null, agentId = null, apiKeyId, peerHubId } = doer;
  const isSealedWithout = entryType === 'CERT_ISSUED' && own === null;
  const foreign = isSealedWithout ? null : foreignFault(doer, orgId);
  if (foreign) return foreign;
  if (entryType === 'API_KEY_ROTATED' && apiKeyId !== act['previousApiKeyId'])
    return `the API key ${textOf(act['previousApiKeyId'])} is rotated by another credential`;
  if (kind === 'agent' && ownerType !== undefined && ownerType !== 'agent')
    return `the agent ${textOf(agentId)} acts for the ${textOf(ownerType)}`;
  if (kind === 'peer' && act['peerHubId'] !== peerHubId)
    return `the peer ${textOf(peerHubId)} acts about the peer ${textOf(act['peerHubId'])}`;
  if (entryType === 'CERT_ISSUED' && doer['certId'] !== certId)
    return `the certificate ${textOf(certId)} is issued by another credential`;
  const member = OF_ITSELF[textOf(entryType)] ?? (ownerType === 'agent' ? 'ownerId' : undefined);
  return kind === 'agent' && member !== undefined && act[member] !== agentId
    ? `the agent ${textOf(agentId)} acts for the agent ${textOf(act[member])}`
    : null;
};

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
};
