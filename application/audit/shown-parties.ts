import type { AgentReads, OrgReads } from '../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { AuditExportParty } from '../../domain/verification/read/audit-export.ts';
import { payloadDrift } from '../sealing/head-check.ts';

/** The parties of a record by the names that they have today: a reader knows agents and orgs by no id. */
export class ShownParties {
  constructor(
    private readonly agents: AgentReads,
    private readonly orgs: OrgReads,
  ) {}

  /** The principal and, where there is another, the performer. What a party on another hub is called, that hub says. */
  of({
    id,
    principalAgentId,
    orgId,
    performerAgentId,
    performerOrgId,
    federation,
  }: RecordState): Promise<AuditExportParty[]> {
    const principal =
      federation?.role === 'mirror'
        ? Promise.resolve(foreign(principalAgentId, null))
        : this.named({ agentId: principalAgentId, orgId }, id);
    if (performerAgentId === null || performerAgentId === principalAgentId)
      return Promise.all([principal]);
    if (federation?.role === 'home')
      return Promise.all([principal, Promise.resolve(foreign(performerAgentId, performerOrgId))]);
    return performerOrgId === null
      ? Promise.all([principal])
      : Promise.all([
          principal,
          this.named({ agentId: performerAgentId, orgId: performerOrgId }, id),
        ]);
  }

  private async named(
    { agentId, orgId }: { readonly agentId: Uuid; readonly orgId: Uuid },
    recordId: Uuid,
  ): Promise<AuditExportParty> {
    const [agent, org] = await Promise.all([this.agents.find(agentId), this.orgs.find(orgId)]);
    if (!agent || !org) throw payloadDrift(recordId, 'missing party');
    return { agentId, orgId, name: agent.name, orgName: org.name };
  }
}

const foreign = (agentId: Uuid, orgId: Uuid | null): AuditExportParty => ({
  agentId,
  orgId,
  name: null,
  orgName: null,
});
