import type { Agent, AgentProfile } from '../../domain/identity/agent.ts';
import type {
  AgentKeyReads,
  AgentReferenceReads,
} from '../../domain/identity/identity-store.port.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** Joins agents with what they published, one page of agents at a time. */
export class AgentProfiles {
  constructor(
    private readonly keys: AgentKeyReads,
    private readonly references: AgentReferenceReads,
  ) {}

  /** In the order of the agents. */
  async of(agents: readonly Agent[]): Promise<readonly AgentProfile[]> {
    const ids = agents.map(({ id }) => id);
    const [signingKeys, encryptionKeys, references] = await Promise.all([
      this.keys.signingKeys(ids),
      this.keys.encryptionKeys(ids),
      this.references.of(ids),
    ]);
    return agents.map((agent) => ({
      ...agent,
      signingKeys: signingKeys.get(agent.id) ?? [],
      encryptionKey: encryptionKeys.get(agent.id) ?? null,
      references: references.get(agent.id) ?? [],
    }));
  }
}

/** The same inside a unit of work that changes the agent. */
export const profileOf = async (stores: Stores, agent: Agent): Promise<AgentProfile> => ({
  ...agent,
  signingKeys: await stores.agentKeys.signingKeys(agent.id),
  encryptionKey: await stores.agentKeys.encryptionKey(agent.id),
  references: await stores.agentReferences.of(agent.id),
});

/** The profile of a new agent, which has published nothing yet. */
export const newProfile = (agent: Agent): AgentProfile => ({
  ...agent,
  signingKeys: [],
  encryptionKey: null,
  references: [],
});
