import type { Peer } from '../../domain/federation/peer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError, notFound } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { GreetPeers } from './greet-peers.ts';
import type { HubKeys } from './hub-keys.ts';
import { assertKeyIsFree, sealPeer, statusAfter } from './peer-acts.ts';
import { assertPeerHost } from './peer-host.ts';
import { putPeer } from './put-peer.ts';

interface ApprovePeerInput {
  readonly hubId: Uuid;
  readonly publicKeyThumbprint: string;
  readonly vaultRoot: string;
}

/** Registers a hub whose handshake waits, by exactly the key and the root that were compared out of band. */
export class ApprovePeer {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly ledger: Pick<PlatformLedger, 'factsWithin'>,
    private readonly keys: HubKeys,
    private readonly greetings: Pick<GreetPeers, 'greetNow'>,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly addresses: AddressRules,
  ) {}

  async execute(context: CallContext, input: ApprovePeerInput): Promise<Peer> {
    const { thumbprint } = await this.keys.current();
    const id = this.ids.next();
    const approved = await this.idempotent.run(context, (stores) =>
      this.approve(stores, context, input, { id, ownKeyThumbprint: thumbprint }),
    );
    return this.greetings.greetNow(approved);
  }

  private async approve(
    stores: Stores,
    context: CallContext,
    { hubId, publicKeyThumbprint, vaultRoot }: ApprovePeerInput,
    own: { readonly id: Uuid; readonly ownKeyThumbprint: string },
  ): Promise<Peer> {
    const now = this.clock.now().toISOString();
    const before = await stores.peers.lock(hubId);
    if (before && before.status !== 'REVOKED') statusAfter('approve', before.status);
    const pending = (await stores.peers.lockPending(now)).filter((row) => row.hubId === hubId);
    if (pending.length === 0) throw notFound('peer that waits for approval');
    const meant = pending.find((row) => row.publicKeyThumbprint === publicKeyThumbprint);
    if (meant?.vaultRoot !== vaultRoot) throw another(meant ? 'vaultRoot' : 'publicKeyThumbprint');
    const { hubId: _, publicKey } = meant;
    const baseUrl = assertPeerHost(meant.baseUrl, this.addresses);
    const claim = { hubId, baseUrl, publicKey, publicKeyThumbprint, vaultRoot };
    assertKeyIsFree(await this.ledger.factsWithin(stores.chains), claim);
    const peer = await putPeer(stores, before, {
      ...claim,
      ...own,
      now,
      greetedAt: meant.createdAt,
    });
    await stores.peers.deletePending(pending.map((row) => row.id));
    await sealPeer(this.sealPlatform, stores, originOf(context), 'approve', peer);
    return peer;
  }
}

const another = (member: 'publicKeyThumbprint' | 'vaultRoot'): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The handshake that waits names another ${member}: nothing was approved.`,
    {
      errors: [{ path: `/${member}`, keyword: 'const', message: 'is not that of the handshake' }],
      suggestion:
        'Compare both values with the administrator of the other hub, over a channel that you trust.',
    },
  );
