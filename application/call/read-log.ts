import { actorOf, type Caller } from '../../domain/identity/caller.ts';
import type { AgentReads, OrgReads } from '../../domain/identity/identity-store.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ReadClaim } from '../../domain/transparency/org-read.ts';
import type { Call } from './call.port.ts';
import type { Members } from './input-form.ts';
import type { Operation } from './operation.ts';

/** Appends a read to the log of an org. It resolves once the leaf is on the disk. */
export interface ReadAppender {
  append(orgId: Uuid, claim: ReadClaim): Promise<void>;
}

/** A read that was carried out and is not answered yet. */
export interface PerformedRead {
  readonly call: Pick<Call, 'requestId' | 'protocol'>;
  readonly caller: Caller;
  readonly operation: Operation;
  /** Checked. */
  readonly input: Members;
  readonly result: unknown;
}

/** Agents read what is theirs. Who governs an org, or all of them, leaves a trace. */
export const isLogged = ({ role }: Caller, operation: Operation): boolean =>
  role !== 'agent' && operation.effect === 'read' && operation.concerns !== undefined;

/** Enters reads of administrators and operators in the logs of the orgs whose data they show. */
export class ReadLog {
  constructor(
    private readonly log: ReadAppender,
    private readonly orgs: Pick<OrgReads, 'find'>,
    private readonly agents: Pick<AgentReads, 'find'>,
  ) {}

  /** Once it resolves every leaf is on the disk. What it rejects with, the read is refused with. */
  async enter(read: PerformedRead): Promise<void> {
    const claim = claimOf(read);
    const orgs = await this.concerned(read);
    await Promise.all([...orgs].map((orgId) => this.log.append(orgId, claim)));
  }

  /** An admin reads as its org, also where it finds nothing; an operator that asked for one org read that one. */
  private async concerned(read: PerformedRead): Promise<ReadonlySet<Uuid>> {
    const { caller, operation, input, result } = read;
    const { orgs = [], agents = [], isExact = false } = operation.concerns?.(result, input) ?? {};
    const concerned = new Set(orgs.filter((orgId) => orgId !== null));
    if (!isExact && caller.role === 'admin' && caller.orgId !== null) concerned.add(caller.orgId);
    for (const agentId of new Set(agents)) {
      const agent = agentId === null ? null : await this.agents.find(agentId);
      if (agent) concerned.add(agent.orgId);
    }
    if (isExact) return concerned;
    const asked = input['orgId'];
    if (typeof asked === 'string' && !concerned.has(asked) && (await this.isVisible(caller, asked)))
      concerned.add(asked);
    return concerned;
  }

  private async isVisible(caller: Caller, orgId: Uuid): Promise<boolean> {
    return caller.role === 'platform' && (await this.orgs.find(orgId)) !== null;
  }
}

const claimOf = ({ call, caller, operation, input }: PerformedRead): ReadClaim => {
  const target = operation.target?.(input);
  return {
    actor: actorOf(caller),
    requestId: call.requestId,
    operation: operation.id,
    ...(target ? { target: `${target.kind}/${target.id}` } : {}),
    inputDigest: hashJson(input as JsonObject),
    protocol: call.protocol,
  };
};
