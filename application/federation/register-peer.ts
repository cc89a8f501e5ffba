import type { Peer, PeerClaim } from '../../domain/federation/peer.ts';
import { hubKeyOfJwk, hubKeyThumbprint } from '../../domain/federation/peer-claim.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { AddressRules } from '../egress/address-rules.port.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { originOf } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { DuplicateError, type Stores } from '../ports/unit-of-work.port.ts';
import type { GreetPeers } from './greet-peers.ts';
import type { HubIdentity } from './hub-identity.ts';
import type { HubKeys } from './hub-keys.ts';
import { assertKeyIsFree, assertOtherHub, sealPeer } from './peer-acts.ts';
import { assertPeerHost } from './peer-host.ts';
import { putPeer } from './put-peer.ts';

interface RegisterPeerInput {
  readonly baseUrl: string;
  readonly hubId: Uuid;
  readonly publicKeyJwk: { readonly [member: string]: unknown };
  readonly vaultRoot: string;
}

/**
 * Registers another hub by what was compared out of band: this is the approval of exactly this key and root. It is ACTIVE
 * where its handshake came before, and REGISTERED until it comes.
 */
export class RegisterPeer {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly sealPlatform: SealPlatform,
    private readonly ledger: Pick<PlatformLedger, 'factsWithin'>,
    private readonly identity: HubIdentity,
    private readonly keys: HubKeys,
    private readonly greetings: Pick<GreetPeers, 'greetNow'>,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly addresses: AddressRules,
  ) {}

  async execute(context: CallContext, input: RegisterPeerInput): Promise<Peer> {
    const claim = claimOf(input, this.addresses);
    assertOtherHub(claim.hubId, this.identity.hubId);
    const { thumbprint: ownKeyThumbprint } = await this.keys.current();
    const id = this.ids.next();
    const registered = await this.idempotent
      .run(context, (stores) => this.register(stores, context, { claim, id, ownKeyThumbprint }))
      .catch((error: unknown) => {
        throw error instanceof DuplicateError ? known(claim.hubId) : error;
      });
    return this.greetings.greetNow(registered);
  }

  private async register(
    stores: Stores,
    context: CallContext,
    { claim, id, ownKeyThumbprint }: { claim: PeerClaim; id: Uuid; ownKeyThumbprint: string },
  ): Promise<Peer> {
    const now = this.clock.now().toISOString();
    const before = await stores.peers.lock(claim.hubId);
    if (before && before.status !== 'REVOKED') throw known(claim.hubId);
    assertKeyIsFree(await this.ledger.factsWithin(stores.chains), claim);
    const pending = await stores.peers.lockPending(now);
    const greeting = pending.find(
      ({ hubId, publicKeyThumbprint, vaultRoot }) =>
        hubId === claim.hubId &&
        publicKeyThumbprint === claim.publicKeyThumbprint &&
        vaultRoot === claim.vaultRoot,
    );
    const peer = await putPeer(stores, before, {
      ...claim,
      id,
      ownKeyThumbprint,
      now,
      greetedAt: greeting?.createdAt ?? null,
    });
    await stores.peers.deletePending(
      pending.filter(({ hubId }) => hubId === claim.hubId).map((row) => row.id),
    );
    await sealPeer(this.sealPlatform, stores, originOf(context), 'register', peer);
    return peer;
  }
}

const claimOf = (input: RegisterPeerInput, addresses: AddressRules): PeerClaim => {
  const publicKey = hubKeyOfJwk(input.publicKeyJwk);
  return {
    hubId: input.hubId,
    baseUrl: assertPeerHost(input.baseUrl, addresses),
    publicKey,
    publicKeyThumbprint: hubKeyThumbprint(publicKey),
    vaultRoot: input.vaultRoot,
  };
};

const known = (hubId: Uuid): NotaryError =>
  new NotaryError('CONFLICT', `The hub ${hubId}, or its key, is registered here already.`, {
    refreshUrl: `/v1/admin/federation/peers/${hubId}`,
    suggestion:
      'Read the peer. To register it anew, with another key or root, revoke it first: it then starts with new records only.',
  });
