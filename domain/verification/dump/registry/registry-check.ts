import { isObject, type JsonObject, type JsonValue } from '../../../kernel/canonical-json.ts';
import type { ChainKind } from '../../../vault/chain-key.ts';
import type { RegistryReader } from '../../chain/verify-chain.ts';
import { ActsInOrder, foreignFault } from './acts-in-order.ts';
import { secondsOf, type PlatformRegistry } from './platform-registry.ts';

/** Holds the entries of one chain against what the platform chain establishes. */
export class RegistryCheck implements RegistryReader {
  /** Of a record, as its first entry says; undefined before it was read. */
  private federation: 'none' | 'home' | 'mirror' | undefined;
  /** The parties that were judged last. */
  private parties = '';
  private previousAt: JsonValue | undefined;
  /** For the platform chain, which is also checked against itself; null for any other chain. */
  private readonly acts: ActsInOrder | null;

  /**
   * @param isCovered whether the platform chain of this dump goes beyond the entry at this position. A dump may end with entries
   *   that are newer than its platform chain.
   */
  constructor(
    private readonly registry: PlatformRegistry,
    private readonly chainKind: ChainKind | null,
    private readonly isCovered: (position: number) => boolean,
  ) {
    this.acts = chainKind === 'admin' ? new ActsInOrder() : null;
  }

  faultsOf(predicate: JsonObject, position: number): readonly string[] {
    const { registry, chainKind } = this;
    const { actor, orgId, entryType } = predicate;
    const at = secondsOf(predicate['at']);
    // A job takes an export, after the call of who asked for it.
    const isTimeOfUse =
      this.acts !== null &&
      entryType !== 'EXPORT_TAKEN' &&
      registry.isTimeOfUse(predicate['at'], this.previousAt);
    this.previousAt = predicate['at'];
    if (chainKind === 'record' && position === 1) this.federation = federationOf(predicate);
    if (!this.isCovered(position) && !registry.isWholeAt(at)) return NOTHING;
    const faults = [
      isObject(actor) ? registry.actorFault(actor, isTimeOfUse ? at : null) : null,
      chainKind === 'admin' || orgId === undefined ? null : registry.orgFault(orgId),
      ...(this.acts?.faultsOf(predicate) ?? NOTHING),
      ...(chainKind === 'record' ? this.partyFaults(predicate) : NOTHING),
      ...(chainKind === 'schema' ? this.typeFaults(predicate) : NOTHING),
    ];
    const found = faults.filter((fault) => fault !== null);
    // Both registries may name the same credential.
    return this.acts ? [...new Set(found)] : found;
  }

  /** An imported type keeps the label of its publisher, which may be another org. */
  private typeFaults({
    entryType,
    actor,
    publisher,
    orgId = null,
  }: JsonObject): readonly (string | null)[] {
    return [
      isObject(actor) ? foreignFault(actor, orgId) : null,
      entryType === 'SCHEMA_REGISTERED' ? this.registry.publisherFault(publisher, orgId) : null,
    ];
  }

  /** A party on another hub is not on this one's platform chain. */
  private partyFaults(predicate: JsonObject): readonly (string | null)[] {
    const { registry, federation } = this;
    const { orgId, principalAgentId, performerAgentId, performerOrgId } = predicate;
    if (principalAgentId === undefined || federation === undefined) return NOTHING;
    const parties = JSON.stringify([orgId, principalAgentId, performerOrgId, performerAgentId]);
    if (parties === this.parties) return NOTHING;
    this.parties = parties;
    return [
      federation === 'mirror' ? null : registry.agentFault(principalAgentId, orgId),
      federation === 'home' || (performerAgentId ?? null) === null
        ? null
        : registry.agentFault(performerAgentId!, performerOrgId),
    ];
  }
}

const NOTHING: readonly string[] = [];

const federationOf = ({ terms }: JsonObject): 'none' | 'home' | 'mirror' => {
  const federation = isObject(terms) ? terms['federation'] : undefined;
  const role = isObject(federation) ? federation['role'] : undefined;
  return role === 'home' || role === 'mirror' ? role : 'none';
};
