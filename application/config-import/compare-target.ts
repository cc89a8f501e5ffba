import type { Agent } from '../../domain/identity/agent.ts';
import type { AgentReads, OrgReads } from '../../domain/identity/identity-store.port.ts';
import { SYSTEM_ORG_SLUG, type Org } from '../../domain/identity/org.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Keyset, Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import {
  nameOfVersion,
  type CarriedAgent,
  type CarriedConfig,
  type CarriedType,
} from './carried-config.ts';

export interface TargetReads {
  readonly orgs: Pick<OrgReads, 'list'>;
  readonly agents: Pick<AgentReads, 'list'>;
  readonly recordTypes: Pick<RecordTypeReads, 'list'>;
}

/** The ids of what an earlier run has carried over. */
export interface AlreadyThere {
  readonly orgs: ReadonlySet<Uuid>;
  readonly agents: ReadonlySet<Uuid>;
  readonly recordTypes: ReadonlySet<Uuid>;
}

/**
 * Besides its own system org a vault holds nothing that is not carried over in this very form, so a run that was
 * interrupted is continued, and nothing is mixed with what a vault in use has become.
 *
 * @throws CONFLICT that names the first differences.
 */
export const compareTarget = async (
  reads: TargetReads,
  config: CarriedConfig,
): Promise<AlreadyThere> => {
  const differences: string[] = [];
  const own = await systemOrgOf(reads);
  const orgs = new Map(config.orgs.map((org) => [org.id, org]));
  const agents = new Map(config.agents.map((agent) => [agent.id, agent]));
  const types = new Map(config.recordTypes.map((type) => [type.id, type]));
  const there = {
    orgs: new Set<Uuid>(),
    agents: new Set<Uuid>(),
    recordTypes: new Set<Uuid>(),
  };
  const take = (found: Set<Uuid>, id: Uuid, name: string, difference: string | null): void => {
    if (difference === null) found.add(id);
    else differences.push(`the ${name} ${difference}`);
  };
  for await (const org of allOf((slice) => reads.orgs.list({}, slice)))
    if (org.id !== own)
      take(there.orgs, org.id, `org ${org.slug}`, differenceOf(org, orgs.get(org.id), ORG));
  for await (const agent of allOf((slice) => reads.agents.list({}, slice)))
    if (agent.orgId !== own)
      take(
        there.agents,
        agent.id,
        `agent ${agent.id}`,
        differenceOf(shownAgent(agent), agents.get(agent.id), AGENT),
      );
  for await (const type of allOf((slice) => reads.recordTypes.list({ orgId: null }, slice)))
    if (type.orgId !== own)
      take(
        there.recordTypes,
        type.id,
        `record type ${nameOfVersion(type)} of the org ${type.orgId}`,
        differenceOf(type, types.get(type.id), TYPE),
      );
  if (differences.length > 0) throw notEmpty(differences);
  return there;
};

/** The only one of its slug: it is reserved. */
const systemOrgOf = async ({ orgs }: TargetReads): Promise<Uuid | null> => {
  for await (const org of allOf((slice) => orgs.list({}, slice)))
    if (org.slug === SYSTEM_ORG_SLUG) return org.id;
  return null;
};

const shownAgent = (agent: Agent): Omit<CarriedAgent, 'position'> => ({
  ...agent,
  isDeactivated: agent.deactivatedAt !== null,
});

const ORG = ['slug', 'name', 'settings'] as const satisfies readonly (keyof Org)[];
const AGENT = [
  'orgId',
  'name',
  'displayName',
  'capabilities',
  'isDeactivated',
] as const satisfies readonly (keyof CarriedAgent)[];
const TYPE = [
  'orgId',
  'publisher',
  'type',
  'version',
  'manifestDigest',
  'status',
] as const satisfies readonly (keyof RecordType & keyof CarriedType)[];

/** Null where they agree in these members. */
const differenceOf = <Member extends string>(
  found: { readonly [member in Member]: unknown },
  carried: { readonly [member in Member]: unknown } | undefined,
  members: readonly Member[],
): string | null => {
  if (!carried) return 'is not in the source';
  const other = members.find(
    (member) => JSON.stringify(found[member]) !== JSON.stringify(carried[member]),
  );
  return other === undefined ? null : `has another ${other} than in the source`;
};

const SHOWN = 5;

const notEmpty = (differences: readonly string[]): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The database of this configuration holds orgs, agents or record types of its own, and nothing was written: ${differences.slice(0, SHOWN).join('; ')}${differences.length > SHOWN ? `; and ${differences.length - SHOWN} more` : ''}.`,
    {
      suggestion:
        'Carry over into an empty database: set DATABASE_URL or DATA_DIR to a new one, or call for what is missing by the API.',
    },
  );

async function* allOf<T>(list: (slice: SliceRequest) => Promise<Slice<T>>): AsyncGenerator<T> {
  let after: Keyset | null = null;
  do {
    const { rows, next }: Slice<T> = await list({ limit: PAGE, after });
    yield* rows;
    after = next;
  } while (after);
}

const PAGE = 200;
