import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import type { ChainKind } from '../../vault/chain-key.ts';
import type { RegistryReader } from '../verify-chain.ts';
import { ActsInOrder } from './acts-in-order.ts';
import type { PlatformCovers } from './platform-covers.ts';
import { secondsOf, type PlatformRegistry } from './platform-registry.ts';

/** What the log says of the platform chain, and of the entry that came last. */
export interface SeenByLog {
  readonly platform: PlatformCovers;
  /** Whether the platform chain that was read goes beyond it. A dump may end with entries that are newer. */
  isBeforeClose(): boolean;
  /** When a checkpoint first covered it, ISO 8601 with milliseconds; null if none does. */
  coveredAt(): string | null;
}

/** Holds the entries of one chain against what the platform chain establishes. */
export class RegistryCheck implements RegistryReader {
  /** Of a record, as its first entry says; undefined before it was read. */
  private federation: 'none' | 'home' | 'mirror' | undefined;
  /** The parties that were judged last. */
  private parties = '';
  private previousAt: JsonValue | undefined;
  /** For the platform chain, which is also checked against itself; null for any other chain. */
  private readonly acts: ActsInOrder | null;

  constructor(
    private readonly registry: PlatformRegistry,
    private readonly chainKind: ChainKind | null,
    private readonly seen: SeenByLog,
  ) {
    this.acts = chainKind === 'admin' ? new ActsInOrder() : null;
  }

  faultsOf(predicate: JsonObject, position: number): readonly string[] {
    const { registry, chainKind } = this;
    const { actor, orgId, entryType } = predicate;
    const at = secondsOf(predicate['at']);
    const isTimeOfUse =
      // A job takes an export, after the call of who asked for it.
      entryType !== 'EXPORT_TAKEN' &&
      registry.isTimeOfUse(predicate['at'], this.previousAt) &&
      // A checkpoint gets the time of its entry if the clock was set back in between.
      predicate['at'] !== this.seen.coveredAt();
    this.previousAt = predicate['at'];
    if (chainKind === 'record' && position === 1) this.federation = federationOf(predicate);
    if (!this.seen.isBeforeClose() && !registry.isWholeAt(at)) return NOTHING;
    const use = isTimeOfUse ? { at, covers: this.seen.platform } : null;
    const faults = [
      isObject(actor) ? registry.actorFault(actor, use) : null,
      chainKind === 'admin' || orgId === undefined ? null : registry.orgFault(orgId),
      ...(this.acts?.faultsOf(predicate, position) ?? NOTHING),
      ...(chainKind === 'record' ? this.partyFaults(predicate) : NOTHING),
    ];
    const found = faults.filter((fault) => fault !== null);
    // Both registries may name the same credential.
    return this.acts ? [...new Set(found)] : found;
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
