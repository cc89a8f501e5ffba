import { isObject, type JsonObject, type JsonValue } from '../../../kernel/canonical-json.ts';
import { THINGS, type Thing } from './act-things.ts';
import { ChangedValues } from './changed-values.ts';
import { IssuerRules } from './issuer-rules.ts';
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
  private readonly changes = new ChangedValues();
  private readonly issuers = new IssuerRules();

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
    const idle = this.idleFault(act);
    const misnamed = THINGS.flatMap((thing) => this.thingFaults(thing, act));
    return [
      isOwn ? this.before.actorFault(doer, null) : unknown,
      reachFault(act, doer),
      idle,
      ...this.changes.faultsOf(act),
      ...this.issuers.faultsOf(act),
      ...(misnamed.length > 0 ? misnamed : [foreign]),
    ].filter((fault) => fault !== null);
  }

  /** Records whose a new thing is. */
  private own(act: JsonObject): void {
    const { entryType, certId, issuerId, orgId = null } = act;
    if (entryType === 'CERT_ISSUED')
      for (const org of [orgId, null]) this.things.set(ownedCert(certId, issuerId, org), THERE);
    if (entryType === 'ORG_CREATED')
      this.things.set(JSON.stringify(['slug', act['slug'], orgId]), THERE);
    if (entryType === 'WEBHOOK_CREATED') this.things.set(ownedSubscription(act), THERE);
    if (entryType === 'SIGNING_KEY_ADDED') this.things.set(ownedKey(act), THERE);
  }

  /** A deactivated agent gets no credential and no key. Its agent is locked while it gets one, so no race breaks this. */
  private idleFault(act: JsonObject): string | null {
    const member = GIVEN_TO[textOf(act['entryType'])];
    const id = member && act[member];
    return id !== undefined && this.stateOf('agent', id) === ENDED
      ? `the agent ${textOf(id)} was deactivated before this`
      : null;
  }

  private stateOf(what: string, id: JsonValue): number | undefined {
    return this.things.get(nameOf(what, id))?.[0];
  }

  private thingFaults(thing: Thing, act: JsonObject): readonly string[] {
    const { what, member, of, makers = NONE, ender, reviver, naming = NONE, isMadeOnce } = thing;
    const entryType = textOf(act['entryType']);
    if (of && !of.has(entryType)) return [];
    return listOf(act[member]).flatMap((id) => {
      const name = nameOf(what, id);
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
      if (entryType === reviver)
        return state === ENDED ? [] : [`no earlier entry ended the ${what} ${textOf(id)}`];
      const mayName = naming === 'any' ? entryType !== ender : naming.has(entryType);
      return state === ENDED && !mayName
        ? [`an earlier entry ended the ${what} ${textOf(id)}`]
        : [];
    });
  }

  /** What the act says of a thing has to be what its maker said: whose it is, and of which org. */
  private belongingFault(act: JsonObject): string | null {
    const { before } = this;
    const { entryType, orgId = null, actor, agentId, ownerId, role, issuerId } = act;
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
        return this.subscriptionFault(act);
      case 'SIGNING_KEY_REVOKED':
        return this.things.get(ownedKey(act))
          ? before.agentFault(agentId ?? null, orgId)
          : `no earlier entry of the platform chain establishes the signing key ${textOf(act['thumbprint'])} of the agent ${textOf(agentId)}`;
      case 'CERT_REVOKED':
        return this.certFault(act);
      case 'PUBLISHER_CLAIMED':
        return this.labelFault(act);
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
        this.stateOf('certificate', certId) !== undefined &&
        !this.things.get(ownedCert(certId, issuerId, orgId)),
    );
    return other === undefined
      ? null
      : `no earlier entry of the platform chain establishes the certificate ${textOf(other)} of the issuer ${textOf(issuerId)} in the org ${textOf(orgId)}`;
  }

  /** The slug of an org is its own label from the beginning. A label that was claimed before may become a slug. */
  private labelFault({ publisher = null, orgId = null }: JsonObject): string | null {
    const isSlug = this.stateOf('slug', publisher) !== undefined;
    return isSlug && !this.things.get(JSON.stringify(['slug', publisher, orgId]))
      ? `the label ${textOf(publisher)} is the slug of another org`
      : null;
  }

  /** A subscription keeps its owner. */
  private subscriptionFault(act: JsonObject): string | null {
    const { entryType, subscriptionId, ownerType, ownerId = null, orgId = null } = act;
    if (entryType !== 'WEBHOOK_CREATED' && !this.things.get(ownedSubscription(act)))
      return `no earlier entry of the platform chain establishes the subscription ${textOf(subscriptionId)} of the ${textOf(ownerType)} ${textOf(ownerId)}`;
    if (ownerType === 'agent') return this.before.agentFault(ownerId, orgId);
    return ownerType === 'org' && ownerId !== orgId
      ? `a subscription of the org ${textOf(ownerId)} is in the org ${textOf(orgId)}`
      : null;
  }

  private ownerFault(ownerId: JsonValue, orgId: JsonValue): string | null {
    if (orgId !== null) return this.before.agentFault(ownerId, orgId);
    return this.stateOf('agent', ownerId) !== undefined
      ? null
      : `no earlier entry of the platform chain establishes the agent ${textOf(ownerId)}`;
  }
}

const THERE = 1;
const ENDED = 2;
const NONE: ReadonlySet<string> = new Set();

const nameOf = (what: string, id: JsonValue): string => JSON.stringify([what, id]);

const ownedSubscription = ({ subscriptionId, ownerType, ownerId, orgId }: JsonObject): string =>
  JSON.stringify(
    ['subscription', subscriptionId, ownerType, ownerId, orgId].map((id) => id ?? null),
  );

const ownedKey = ({ thumbprint, agentId }: JsonObject): string =>
  JSON.stringify(['signing key', thumbprint, agentId]);

/** @param orgId null for an act that revokes certificates of several orgs. */
const ownedCert = (
  certId: JsonValue | undefined,
  issuerId: JsonValue | undefined,
  orgId: JsonValue,
): string => JSON.stringify(['certificate', certId, issuerId, orgId]);

/** The acts that give an agent a key or a credential, and the member that names the agent. */
const GIVEN_TO: Readonly<Record<string, string>> = {
  API_KEY_MINTED: 'ownerId',
  API_KEY_REENABLED: 'ownerId',
  CERT_ISSUED: 'agentId',
  ENCRYPTION_KEY_SET: 'agentId',
  SIGNING_KEY_ADDED: 'agentId',
};

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
