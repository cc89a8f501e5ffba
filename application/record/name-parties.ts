import type { Agent } from '../../domain/identity/agent.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Party } from '../../domain/record/creation.ts';
import type { RecordState, Side } from '../../domain/record/record-state.ts';
import { belongs } from '../../domain/record/sides.ts';
import { isNotarizeOnly, type RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';

interface Naming {
  readonly principalAgentId?: Uuid;
  readonly performerAgentId?: Uuid;
  readonly autoActivate?: boolean;
}

interface Parties {
  readonly principal: Party;
  readonly performer: Party | null;
  /** The side for which the caller creates the record. */
  readonly creator: Side;
}

/** To a platform key, whose own agent belongs to no org that keeps record types. */
export const platformNamesNobody = (): NotaryError =>
  refusal(
    'principalAgentId',
    'A platform key acts for no agent of an org, so the principal must be named.',
    'Name the principal in principalAgentId, or create the record with a key of that agent.',
  );

/** The principal of a new record, and what is known of its agent. */
interface NamedPrincipal extends Pick<Parties, 'principal'> {
  readonly agent: Agent;
}

/** The parties of a new record: whom a caller may name, and on which side the caller then stands. */
export class NameParties {
  constructor(
    private readonly agents: AgentReads,
    private readonly recordTypes: RecordTypeReads,
  ) {}

  /**
   * The principal comes first: the record type resolves in its org.
   *
   * @param parent its performer is the principal of the delegated record.
   */
  async principalOf(caller: Caller, input: Naming, parent?: RecordState): Promise<NamedPrincipal> {
    if (
      parent &&
      input.principalAgentId !== undefined &&
      input.principalAgentId !== parent.performerAgentId
    )
      throw refusal(
        'principalAgentId',
        `The principal of a delegated record is the performer of its parent, ${parent.performerAgentId}.`,
        'Leave principalAgentId out.',
      );
    const agentId = parent?.performerAgentId ?? input.principalAgentId ?? caller.agentId;
    if (!agentId)
      throw refusal(
        'principalAgentId',
        'The credential belongs to no agent, so the principal must be named.',
        'Name the principal in principalAgentId.',
      );
    const agent = await this.active(agentId, 'principalAgentId');
    return { principal: partyOf(agent), agent };
  }

  async performerOf(
    caller: Caller,
    input: Naming,
    { principal, agent: principalAgent }: NamedPrincipal,
    recordType: RecordType,
  ): Promise<Parties> {
    const notarizes = isNotarizeOnly(recordType.manifest);
    const agent =
      input.performerAgentId === undefined
        ? null
        : await this.active(input.performerAgentId, 'performerAgentId');
    const creator = this.creatorSide(caller, principal, notarizes ? null : agent);
    const performer = agent && partyOf(agent);
    if (notarizes) return { principal, performer, creator };
    // A record that starts without a performer is performed by its principal.
    if (agent ?? input.autoActivate)
      await this.assertCapable(
        agent ?? principalAgent,
        recordType,
        principal.orgId,
        agent ? 'performerAgentId' : 'principalAgentId',
      );
    if (!performer || performer.agentId === principal.agentId)
      return { principal, performer, creator };
    if (input.autoActivate && creator === 'performer')
      throw refusal(
        'autoActivate',
        'The principal must consent: a record that its performer opens cannot start at once.',
        'Leave autoActivate out; the principal is then asked to accept.',
      );
    if (input.autoActivate && performer.orgId !== principal.orgId)
      throw refusal(
        'autoActivate',
        'The performer belongs to another org and must consent before the record starts.',
        'Leave autoActivate out; the performer is then asked to accept.',
      );
    return { principal, performer, creator };
  }

  /** The performer to whom a draft is offered. */
  async performerFor(record: RecordState, agentId: Uuid, recordType: RecordType): Promise<Party> {
    const agent = await this.active(agentId, 'performerAgentId');
    if (agent.id !== record.principalAgentId)
      await this.assertCapable(agent, recordType, record.orgId);
    return partyOf(agent);
  }

  /** Before a draft starts: its principal performs it, where it names nobody else. */
  async assertMayPerform(record: RecordState, recordType: RecordType): Promise<void> {
    const performer = await this.agents.find(record.performerAgentId ?? record.principalAgentId);
    if (performer)
      await this.assertCapable(performer, recordType, record.orgId, 'principalAgentId');
  }

  private creatorSide(caller: Caller, principal: Party, performer: Agent | null): Side {
    if (belongs(caller, principal.agentId, principal.orgId)) return 'principal';
    if (performer && belongs(caller, performer.id, performer.orgId)) return 'performer';
    const whose =
      caller.role === 'agent'
        ? 'its own agent as the principal, or another one when it is itself the performer'
        : 'an agent of its org as the principal, or as the performer';
    throw refusal(
      'principalAgentId',
      `This credential may name ${whose}.`,
      'Leave principalAgentId out to be the principal yourself.',
    );
  }

  /** @throws UNPROCESSABLE where there is no such agent or it is deactivated. */
  private async active(agentId: Uuid, member: string): Promise<Agent> {
    const agent = await this.agents.find(agentId);
    if (!agent) throw refusal(member, `There is no agent ${agentId}.`, `Check ${member}.`);
    assertActiveParty(agent, member);
    return agent;
  }

  private async assertCapable(
    performer: Agent,
    recordType: RecordType,
    orgId: Uuid,
    member = 'performerAgentId',
  ): Promise<void> {
    if (performer.capabilities.length === 0 || performer.capabilities.includes(recordType.type))
      return;
    const registered = new Set(await this.recordTypes.activeNames(orgId));
    throw new NotaryError(
      'UNPROCESSABLE',
      `The agent ${performer.id} does not declare that it handles ${recordType.type}.`,
      {
        allowedValues: performer.capabilities.filter((name) => registered.has(name)),
        errors: [
          {
            path: `/${member}`,
            keyword: 'capabilities',
            message: `handles ${performer.capabilities.join(', ')}`,
          },
        ],
        suggestion: 'Name another performer, or let it declare the type among its capabilities.',
      },
    );
  }
}

/** @throws UNPROCESSABLE naming the agent and the time of its deactivation. */
export const assertActiveParty = (agent: Agent, member: string): void => {
  if (agent.deactivatedAt === null) return;
  throw refusal(
    member,
    `The agent ${agent.id} was deactivated at ${agent.deactivatedAt} and cannot be named as a party.`,
    'Name an active agent.',
  );
};

const partyOf = (agent: Agent): Party => ({ agentId: agent.id, orgId: agent.orgId });

const refusal = (member: string, detail: string, suggestion: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', detail, {
    errors: [{ path: `/${member}`, keyword: 'party', message: detail }],
    suggestion,
  });
