import { Client, ok, type Body, type World } from './world.ts';

/** The keys of an agent, as the platform sees them. */
export const keysOf = async ({ platform }: World, ownerId: string): Promise<Body[]> =>
  (await ok(platform.get(`/v1/admin/api-keys?limit=200&ownerId=${ownerId}`)))['data'] as Body[];

export interface OrgOfOne {
  readonly orgId: string;
  readonly adminId: string;
  readonly keyId: string;
  readonly admin: Client;
}

/** Creates an org whose only agent is an admin with one key. */
export const orgOfOne = async ({ platform, url }: World, name: string): Promise<OrgOfOne> => {
  const org = await ok(platform.post('/v1/admin/orgs', { name, bootstrapAdmin: true }));
  const { apiKey, ownerId, keyId } = org['bootstrapKey'] as Body;
  return {
    orgId: String(org['id']),
    adminId: String(ownerId),
    keyId: String(keyId),
    admin: new Client(url, String(apiKey)),
  };
};
