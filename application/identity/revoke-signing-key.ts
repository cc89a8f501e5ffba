import { ENDED_KEY_VERSION, type SigningKey } from '../../domain/identity/agent-key.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import { lockOwnAgent } from './own-agent.ts';

export interface RevokedSigningKey extends SigningKey {
  readonly revokedAt: string;
}

/**
 * Revokes a signing key for ever. It stays readable, with the time of its revocation. Revoking it
 * again changes nothing.
 */
export class RevokeSigningKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
  ) {}

  execute(
    context: CallContext,
    input: { readonly agentId: Uuid; readonly thumbprint: string },
  ): Promise<RevokedSigningKey> {
    return this.idempotent.run(context, (stores) => this.revoke(stores, context, input));
  }

  private async revoke(
    stores: Stores,
    { caller, requestId }: CallContext,
    { agentId, thumbprint }: { readonly agentId: Uuid; readonly thumbprint: string },
  ): Promise<RevokedSigningKey> {
    const agent = await lockOwnAgent(stores, caller, agentId, 'keys');
    const key = (await stores.agentKeys.signingKeys(agent.id)).find(
      (each) => each.thumbprint === thumbprint,
    );
    if (!key) throw notFound('signing key');
    if (key.revokedAt !== null) return { ...key, revokedAt: key.revokedAt };
    const members = { agentId: agent.id, thumbprint };
    const entry = await this.sealPlatform.seal(
      stores,
      { actor: actorOf(caller), requestId },
      {
        entryType: 'SIGNING_KEY_REVOKED',
        orgId: agent.orgId,
        rows: { [thumbprint]: ENDED_KEY_VERSION },
        members,
        event: 'agent.signing_key_revoked',
        agentId: agent.id,
      },
    );
    const revoked: RevokedSigningKey = { ...key, revokedAt: entry.at };
    await stores.agentKeys.revokeSigningKey(revoked);
    return revoked;
  }
}
