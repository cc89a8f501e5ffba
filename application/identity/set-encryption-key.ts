import {
  encryptionKey,
  ENDED_KEY_VERSION,
  type EncryptionKey,
} from '../../domain/identity/agent-key.ts';
import { publicKeyOfJwk } from '../../domain/identity/agent-key-input.ts';
import {
  coseThumbprint,
  jwkThumbprint,
  type AgentPublicKey,
} from '../../domain/identity/agent-public-key.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { assertPossession } from '../../domain/identity/possession.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { assertActive, lockOwnAgent } from './own-agent.ts';
import { keyTaken, unlessTaken } from './taken-key.ts';

const thumbprintHex = (key: AgentPublicKey): string => toHex(coseThumbprint(key));

export interface SetEncryptionKeyInput {
  readonly agentId: Uuid;
  readonly publicKeyJwk: { readonly [member: string]: unknown };
  /** Only where the key can sign; an X25519 key cannot. */
  readonly proofOfPossession?: string;
}

/**
 * Publishes the key that content for an agent is encrypted to, in place of the one before. Only the
 * holder of a key can decrypt, so nobody gains by claiming somebody else's. A proof is therefore
 * checked where it is given, but not demanded.
 */
export class SetEncryptionKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
  ) {}

  async execute(context: CallContext, input: SetEncryptionKeyInput): Promise<EncryptionKey> {
    const { agentId, proofOfPossession } = input;
    const key = publicKeyOfJwk(input.publicKeyJwk, 'encryption');
    if (proofOfPossession !== undefined)
      await assertPossession(key, agentId, jwkThumbprint(key), proofOfPossession);
    return unlessTaken(
      this.idempotent.run(context, (stores) =>
        this.set(stores, context, agentId, key, proofOfPossession),
      ),
    );
  }

  private async set(
    stores: Stores,
    { caller, requestId }: CallContext,
    agentId: Uuid,
    key: AgentPublicKey,
    proofOfPossession: string | undefined,
  ): Promise<EncryptionKey> {
    const agent = await lockOwnAgent(stores, caller, agentId, 'keys');
    assertActive(agent);
    const current = await stores.agentKeys.encryptionKey(agent.id);
    const { jwk, thumbprint } = encryptionKey(agent.id, key, '');
    if (current?.thumbprint === thumbprint) return current;
    if (await stores.agentKeys.isTaken(coseThumbprint(key))) throw keyTaken();
    const eventData = {
      agentId: agent.id,
      thumbprint,
      replacedThumbprint: current?.thumbprint ?? null,
    };
    const members = {
      ...eventData,
      publicKeyJwk: { ...jwk },
      ...(proofOfPossession === undefined ? {} : { proofOfPossession }),
    };
    const entry = await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId },
      {
        entryType: 'ENCRYPTION_KEY_SET',
        orgId: agent.orgId,
        rows: {
          [thumbprintHex(key)]: 1,
          ...(current ? { [thumbprintHex(current.key)]: ENDED_KEY_VERSION } : {}),
        },
        members,
        event: 'agent.encryption_key_changed',
        eventData,
        agentId: agent.id,
      },
    );
    const set = encryptionKey(agent.id, key, entry.at);
    await stores.agentKeys.setEncryptionKey(set, entry.position);
    return set;
  }
}
