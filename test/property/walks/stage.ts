import { addAgent, Client, mintKey, ok } from '../../support/service/world.ts';
import {
  ACTORS,
  AGENTS,
  actorOf,
  registrationOf,
  TYPES,
  type ActorName,
  type AgentName,
  type OrgName,
  type TypeName,
} from './cast.ts';

/** A running service with the cast in it. */
export interface Stage {
  readonly url: string;
  /** SHA-256 of the signing key's SPKI, hex. */
  readonly fingerprint: string;
  readonly keys: ReadonlyMap<ActorName, string | null>;
  readonly agents: ReadonlyMap<AgentName, string>;
}

/** @throws where a step of the preparation is refused. */
export const setStage = async (
  url: string,
  platformKey: string,
  fingerprint: string,
): Promise<Stage> => {
  const platform = new Client(url, platformKey);
  const admins = new Map<OrgName, { readonly orgId: string; readonly client: Client }>();
  for (const org of ['a', 'b', 'c'] as const) {
    const made = await ok(
      platform.post('/v1/admin/orgs', { name: `Walks ${org}`, bootstrapAdmin: true }),
    );
    admins.set(org, {
      orgId: String(made['id']),
      client: new Client(url, made['bootstrapKey'].apiKey as string),
    });
  }
  for (const org of ['a', 'b'] as const)
    for (const type of Object.keys(TYPES) as TypeName[])
      await ok(admins.get(org)!.client.post('/v1/schemas', registrationOf(type)));
  const agents = new Map<AgentName, string>();
  const keys = new Map<ActorName, string | null>([
    ['platform', platformKey],
    ['nobody', null],
    ['admin-a', admins.get('a')!.client.key],
    ['admin-b', admins.get('b')!.client.key],
  ]);
  for (const [name, org] of Object.entries(AGENTS) as [AgentName, OrgName][]) {
    const { orgId, client } = admins.get(org)!;
    const agent = await addAgent(client, orgId, name);
    agents.set(name, agent.id);
    keys.set(name, agent.client.key);
  }
  for (const name of Object.keys(ACTORS) as ActorName[]) {
    const { readsOnly, agent, org } = actorOf(name);
    if (readsOnly)
      keys.set(
        name,
        (
          await mintKey(admins.get(org as OrgName)!.client, agents.get(agent as AgentName)!, {
            scopeProfile: 'agent-readonly',
            label: name,
          })
        ).client.key,
      );
  }
  return { url, fingerprint, keys, agents };
};

export const clientOf = (stage: Stage, as: ActorName): Client =>
  new Client(stage.url, stage.keys.get(as) ?? null);
