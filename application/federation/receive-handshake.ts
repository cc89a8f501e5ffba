import { successionInput, type ClaimedRequest } from '../../domain/federation/request-signature.ts';
import type { Peer, PendingPeer } from '../../domain/federation/peer.ts';
import { verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { verifySignature, VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { Eventually } from '../ports/rate-limiter.port.ts';
import type { Origin } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import { notAdmitted, type AdmitPeer } from './admit-peer.ts';
import type { GreetPeers } from './greet-peers.ts';
import { readHandshake, type Handshake } from './handshake-body.ts';
import type { HubIdentity } from './hub-identity.ts';
import { KeyChangeQuota } from './key-change-quota.ts';
import { TakenHandshakes } from './taken-handshakes.ts';
import { assertKeyIsFree, assertOtherHub, sealPeer, statusAfter, taken } from './peer-acts.ts';

const MAX_PENDING = 100;
const MAX_OF_ADDRESS = 3;
const PENDING_MS = 7 * 86_400_000;

/** What a handshake is answered with. Nothing rests on it: no hub key signs it. */
export interface HandshakeAnswer {
  readonly hubId: Uuid;
  /** Of the sender, here. */
  readonly status: 'PENDING' | 'ACTIVE';
  readonly protocolVersion: string;
}

/**
 * Takes the handshake of another hub. Of one that is registered it has to be signed by the key that was registered, and it
 * changes nothing but that the hub is ACTIVE now, or has a new key. Any other one waits for an operator.
 */
export class ReceiveHandshake {
  private readonly verifying = new VerifyingKeys();
  private readonly taken = new TakenHandshakes(PENDING_MS);
  private readonly keyChanges = new KeyChangeQuota();

  constructor(
    private readonly admit: AdmitPeer,
    private readonly unitOfWork: UnitOfWork,
    private readonly sealPlatform: SealPlatform,
    private readonly ledger: Pick<PlatformLedger, 'factsWithin'>,
    private readonly identity: HubIdentity,
    private readonly greetings: Pick<GreetPeers, 'greet'>,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /**
   * A hub that is known here speaks by its key alone. Whoever only names its id is answered as a stranger under any other
   * id is, so nobody learns which hubs are known here.
   *
   * @param parse reads the body as JSON: of a hub that is known only after its signature was checked.
   * @param address what handshakes of strangers are counted by.
   */
  async take(
    claimed: ClaimedRequest,
    body: { readonly bytes: Uint8Array; readonly parse: () => Promise<JsonValue> },
    from: {
      readonly address: string;
      readonly requestId: string;
      /** Told where the signature of a hub that is known here was good. */
      readonly proven: (hubId: Uuid) => Eventually<void>;
    },
  ): Promise<HandshakeAnswer> {
    const known = await this.admit.knownPeer(claimed.hubId);
    const isItself = known && (await this.admit.isSigned(claimed, known.publicKey, body.bytes));
    const sender = isItself ? known : null;
    if (sender) {
      if (sender.status !== 'REGISTERED' && sender.status !== 'ACTIVE')
        throw notAdmitted('inactive_peer');
      await this.admit.spendNonce(claimed, sender.publicKeyThumbprint, true);
      await from.proven(sender.hubId);
    }
    const said = readHandshake(await body.parse());
    if (!sender) {
      await this.admit.assertSigned(claimed, said.publicKey, body.bytes);
      await this.admit.spendNonce(claimed, said.publicKeyThumbprint, false);
    }
    this.assertMeant(claimed, said);
    if (sender) await this.ofPeer(sender, said, from.requestId);
    else await this.ofStranger(said, from.address, known !== null);
    const status = sender ? 'ACTIVE' : 'PENDING';
    const { protocolVersion } = said;
    return { hubId: this.identity.hubId, status, protocolVersion };
  }

  private assertMeant({ hubId }: ClaimedRequest, said: Handshake): void {
    if (said.hubId !== hubId) throw otherHub('hubId', 'that of the header X-Service-Peer-Hub-Id');
    if (said.toHubId !== this.identity.hubId) throw otherHub('toHubId', 'that of this hub');
    assertOtherHub(said.hubId, this.identity.hubId);
  }

  private async ofPeer(sender: Peer, said: Handshake, requestId: string): Promise<void> {
    const followed = said.succession === null ? null : await this.succession(sender, said);
    if (followed) this.keyChanges.take(sender.hubId);
    const taking = this.unitOfWork.transaction(async (stores) => {
      const peer = await stores.peers.lock(sender.hubId);
      // It was changed since the signature was checked: the sender comes again.
      if (peer?.publicKeyThumbprint !== sender.publicKeyThumbprint) throw notAdmitted('signature');
      if (said.vaultRoot !== peer.vaultRoot) throw changed('vaultRoot');
      if (!followed && said.publicKeyThumbprint !== peer.publicKeyThumbprint)
        throw changed('publicKeyJwk');
      if (!followed && peer.status === 'ACTIVE') return null;
      return this.write(stores, peer, followed, { requestId, hubId: sender.hubId });
    });
    const first = await taking.catch((error: unknown) => {
      throw error instanceof DuplicateError ? taken('another hub has it') : error;
    });
    // Whoever is registered here and says hello for the first time may not know that it is.
    if (first?.isFirst) void this.greetings.greet(first.peer);
  }

  private async write(
    stores: Stores,
    before: Peer,
    followed: Followed | null,
    { requestId, hubId }: { readonly requestId: string; readonly hubId: Uuid },
  ): Promise<{ readonly peer: Peer; readonly isFirst: boolean }> {
    const now = this.clock.now().toISOString();
    const isFirst = before.status === 'REGISTERED';
    const act = followed ? 'change-key' : 'greet';
    if (followed)
      assertKeyIsFree(await this.ledger.factsWithin(stores.chains), { hubId, ...followed.key });
    const peer: Peer = {
      ...before,
      ...followed?.key,
      status: statusAfter(act, before.status),
      greetedAt: before.greetedAt ?? now,
      updatedAt: now,
      version: before.version + 1,
      ...(isFirst ? { handshakeDueAt: now, handshakeAttempts: 0 } : {}),
    };
    await stores.peers.update(peer);
    const origin: Origin = { actor: { kind: 'peer', peerHubId: hubId }, requestId };
    const members = followed ? { members: followed.members } : {};
    await sealPeer(this.sealPlatform, stores, origin, act, peer, members);
    return { peer, isFirst };
  }

  /** 422 where the new key does not say itself that it follows the one that was registered. */
  private async succession(sender: Peer, said: Handshake): Promise<Followed> {
    const { publicKey, publicKeyThumbprint, succession } = said;
    const former = sender.publicKeyThumbprint;
    const signed = successionInput(sender.hubId, former, publicKeyThumbprint);
    const key = this.verifying.of(verifyingKeyOf(publicKey));
    if (
      publicKeyThumbprint === former ||
      (await verifySignature(key, succession!, signed)) !== 'valid'
    )
      throw new NotaryError(
        'UNPROCESSABLE',
        'The succession is not a signature of the new hub key over both thumbprints.',
        { errors: [{ path: '/succession', keyword: 'signature', message: 'does not hold' }] },
      );
    return {
      key: { publicKey, publicKeyThumbprint },
      members: { previousThumbprint: former, succession: encodeBase64(succession!) },
    };
  }

  /** @param isTaken the hubId is registered here: then nothing is kept, and nothing else differs. */
  private ofStranger(said: Handshake, address: string, isTaken: boolean): Promise<void> {
    const id = this.ids.next();
    return this.unitOfWork.transaction(async (stores) => {
      const now = this.clock.now();
      assertKeyIsFree(await this.ledger.factsWithin(stores.chains), said);
      const pending = await stores.peers.lockPending(now.toISOString());
      const same = pending.find(
        ({ hubId, publicKeyThumbprint }) =>
          hubId === said.hubId && publicKeyThumbprint === said.publicKeyThumbprint,
      );
      const others = pending.filter((row) => row !== same);
      const ofAddress =
        others.filter((row) => row.address === address).length +
        this.taken.of(address, said.publicKeyThumbprint, now.getTime());
      if (others.length >= MAX_PENDING || ofAddress >= MAX_OF_ADDRESS) throw tooMany();
      if (isTaken) return this.taken.add(address, said.publicKeyThumbprint, now.getTime());
      if (same) await stores.peers.deletePending([same.id]);
      const { hubId, baseUrl, publicKey, publicKeyThumbprint, vaultRoot } = said;
      const row: PendingPeer = {
        id,
        hubId,
        baseUrl,
        publicKey,
        publicKeyThumbprint,
        vaultRoot,
        address,
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + PENDING_MS).toISOString(),
      };
      await stores.peers.insertPending(row);
    });
  }
}

interface Followed {
  readonly key: Pick<Peer, 'publicKey' | 'publicKeyThumbprint'>;
  readonly members: { readonly previousThumbprint: string; readonly succession: string };
}

const otherHub = (member: string, which: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', `The ${member} of the handshake is not ${which}.`, {
    errors: [{ path: `/${member}`, keyword: 'const', message: `must be ${which}` }],
  });

const changed = (member: string): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `The ${member} is not the one that was registered here. A handshake changes no registered hub.`,
    {
      errors: [{ path: `/${member}`, keyword: 'const', message: 'must be the one registered' }],
      suggestion:
        'Roll the hub key over, which tells peers by the former key. After the loss of a key or a vault let both administrators revoke the peer and register it again.',
    },
  );

const tooMany = (): NotaryError =>
  new NotaryError(
    'RATE_LIMITED',
    'Too many handshakes wait here for an operator already. Nothing was kept.',
    {
      retryAfter: 3_600,
      suggestion: 'Let the administrator of this hub register yours: then no handshake waits.',
    },
  );
