import {
  decryptionKey,
  encryptTo,
  type DecryptionKey,
  type EncryptOptions,
} from '../vectors/jwe.ts';
import { addAgent, ok, type Body, type Client, type World } from '../service/world.ts';

export interface EncryptedAgent {
  readonly id: string;
  readonly client: Client;
  readonly key: DecryptionKey;
}

/** Types of the encrypted mode, and two agents that published the keys they decrypt with. */
export interface EncryptedWorld {
  readonly principal: EncryptedAgent;
  readonly performer: EncryptedAgent;
  readonly encrypt: (content: unknown, options?: EncryptOptions) => Promise<Body>;
}

export const SEALED_JOB = {
  type: 'sealed-job',
  operatingMode: 'encrypted',
  criteriaSchema: {
    type: 'object',
    required: ['goal'],
    properties: { goal: { type: 'string' } },
    additionalProperties: false,
  },
  completionSchema: {
    type: 'object',
    required: ['score'],
    properties: { score: { type: 'integer' } },
  },
  gates: [
    { id: 'score', expression: 'evidence.score >= 5' },
    { id: 'log', expression: 'has(evidence.log)', severity: 'warn' },
  ],
  exampleCriteria: { goal: 'plain' },
  exampleEvidence: { score: 5 },
} as const;
export const SEALED_NOTE = {
  type: 'sealed-note',
  operatingMode: 'encrypted',
  completionSchema: {},
} as const;

export const createEncryptedWorld = async (world: World): Promise<EncryptedWorld> => {
  for (const type of [SEALED_JOB, SEALED_NOTE]) await ok(world.admin.post('/v1/schemas', type));
  const principal = await encryptedAgent(world, 'X25519');
  const performer = await encryptedAgent(world, 'P-256');
  return {
    principal,
    performer,
    encrypt: (content, options) => encryptTo([principal.key, performer.key], content, options),
  };
};

export const encryptedAgent = async (
  world: World,
  curve: 'X25519' | 'P-256',
): Promise<EncryptedAgent> => {
  const { id, client } = await addAgent(world.admin, world.orgId, `reads by ${curve}`);
  const key = await decryptionKey(curve);
  await publish(world.admin, id, key);
  return { id, client, key };
};

/** The profile of agents lacks agents:write; an admin of the org publishes for them. */
export const publish = (
  client: Client,
  agentId: string,
  { jwk: { kty, crv, x, y } }: DecryptionKey,
): Promise<Body> =>
  ok(
    client.call<Body>('PUT', `/v1/agents/${agentId}/encryption-key`, {
      publicKeyJwk: { kty, crv, x, ...(y === undefined ? {} : { y }) },
    }),
  );
