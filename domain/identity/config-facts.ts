import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';

/** An org as entries say it. What a member is nobody has checked yet: another hub sealed it. */
export interface SealedOrg {
  readonly id: JsonValue;
  readonly slug: JsonValue;
  readonly name: JsonValue;
  readonly settings: JsonValue;
  /** Of the entry that created it, on the platform chain. */
  readonly position: number;
}

/** The same of an agent. Its display name is in no entry. */
export interface SealedAgent {
  readonly id: JsonValue;
  readonly orgId: JsonValue;
  readonly name: JsonValue;
  readonly capabilities: JsonValue;
  readonly isDeactivated: boolean;
  readonly deactivationReason: JsonValue;
  readonly position: number;
}

/** What a platform chain says of orgs, agents and publisher labels; the newest entry about each counts. */
export class ConfigFacts {
  private readonly orgsById = new Map<string, SealedOrg>();
  private readonly agentsById = new Map<string, SealedAgent>();
  private readonly labels = new Map<string, string>();

  /** In the order in which they were created. */
  get orgs(): Iterable<SealedOrg> {
    return this.orgsById.values();
  }

  get agents(): Iterable<SealedAgent> {
    return this.agentsById.values();
  }

  /** The labels that orgs claimed besides their slugs, with the org of each. */
  get publishers(): Iterable<readonly [label: string, orgId: string]> {
    return this.labels;
  }

  /** Adds the next entry. */
  take(predicate: JsonObject, position: number): void {
    const { entryType } = predicate;
    if (entryType === 'ORG_CREATED') this.createOrg(predicate, position);
    if (entryType === 'ORG_UPDATED')
      change(this.orgsById, predicate['orgId'], { settings: predicate['settings'] ?? {} });
    if (entryType === 'AGENT_CREATED') this.createAgent(predicate, position);
    if (entryType === 'AGENT_CAPABILITIES_CHANGED')
      change(this.agentsById, predicate['agentId'], {
        capabilities: predicate['capabilities'] ?? [],
      });
    if (entryType === 'AGENT_DEACTIVATED')
      change(this.agentsById, predicate['agentId'], {
        isDeactivated: true,
        deactivationReason: predicate['reason'] ?? null,
      });
    if (entryType === 'AGENT_REACTIVATED')
      change(this.agentsById, predicate['agentId'], {
        isDeactivated: false,
        deactivationReason: null,
      });
    if (entryType === 'PUBLISHER_CLAIMED')
      addFirst(this.labels, String(predicate['publisher']), String(predicate['orgId']));
  }

  private createOrg({ orgId = null, slug = null, name = null, ...rest }: JsonObject, at: number) {
    const settings = rest['settings'] ?? {};
    addFirst(this.orgsById, String(orgId), { id: orgId, slug, name, settings, position: at });
  }

  private createAgent({ agentId = null, orgId = null, ...rest }: JsonObject, at: number) {
    addFirst(this.agentsById, String(agentId), {
      id: agentId,
      orgId,
      name: rest['name'] ?? null,
      capabilities: rest['capabilities'] ?? [],
      isDeactivated: false,
      deactivationReason: null,
      position: at,
    });
  }
}

/** What was created once stays what it is: an honest hub creates nothing twice. */
const addFirst = <T>(known: Map<string, T>, id: string, value: T): void => {
  if (!known.has(id)) known.set(id, value);
};

const change = <T>(known: Map<string, T>, id: JsonValue | undefined, members: Partial<T>): void => {
  const before = known.get(String(id));
  if (before) known.set(String(id), { ...before, ...members });
};
