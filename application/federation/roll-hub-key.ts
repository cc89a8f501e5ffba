import type { HubKey } from '../../domain/federation/hub-key.ts';
import { successionInput } from '../../domain/federation/request-signature.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { eraseSpentKeys } from './erase-spent-keys.ts';
import type { GreetPeers } from './greet-peers.ts';
import { currentOf, hubKeyMembers, type HubKeys } from './hub-keys.ts';

/** What a roll-over did. */
export interface RolledHubKey {
  readonly previousThumbprint: string;
  readonly current: Pick<HubKey, 'thumbprint' | 'publicKey' | 'createdAt'>;
  /** Peers that still know the hub by the former key. They are told now. */
  readonly peersToTell: number;
}

/**
 * Replaces the hub key. Each peer is told by a handshake that the former key signs and that holds the new key's own
 * signature; until it answered, requests to it are signed by the former key.
 */
export class RollHubKey {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly keys: HubKeys,
    private readonly greetings: Pick<GreetPeers, 'greetDue'>,
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  async execute(context: CallContext, _input: object): Promise<RolledHubKey> {
    const former = await this.keys.current();
    const next = this.keys.make();
    const { hubId } = this.vault.hub;
    const succession = this.keys
      .open(next)
      .sign(successionInput(hubId, former.thumbprint, next.thumbprint));
    const rolled = await this.idempotent.run(context, async (stores) => {
      const keys = await stores.hubKeys.lockAll();
      const current = currentOf(keys);
      if (current.thumbprint !== former.thumbprint) throw rolledMeanwhile();
      const now = this.clock.now().toISOString();
      const retired = { ...current, retiredAt: now, version: current.version + 1 };
      await stores.hubKeys.update(retired);
      await stores.hubKeys.insert(next);
      await this.sealPlatform.seal(stores, originOf(context), {
        entryType: 'HUB_KEY_CHANGED',
        orgId: null,
        rows: { [retired.id]: retired.version, [next.id]: next.version },
        members: {
          ...hubKeyMembers(hubId, next),
          previousThumbprint: former.thumbprint,
          succession: encodeBase64(succession),
        },
      });
      const peersToTell = await this.tellPeers(stores, now);
      await eraseSpentKeys(stores);
      return { previousThumbprint: former.thumbprint, current: next, peersToTell };
    });
    // Nobody waits for it: what fails is tried again by a job.
    void this.greetings.greetDue().catch(() => undefined);
    return rolled;
  }

  private async tellPeers({ peers }: Stores, now: string): Promise<number> {
    const known = (await peers.all()).filter(({ status }) => status !== 'REVOKED');
    for (const { hubId } of known)
      await peers.note(hubId, { handshakeDueAt: now, handshakeAttempts: 0 });
    return known.length;
  }
}

const rolledMeanwhile = (): NotaryError =>
  new NotaryError('CONFLICT', 'The hub key was rolled over by another call meanwhile.', {
    refreshUrl: '/federation/v1/identity',
  });
