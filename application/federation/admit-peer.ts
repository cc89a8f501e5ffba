import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { Peer, VerifiedPeer } from '../../domain/federation/peer.ts';
import {
  isPeerNonce,
  isPeerSignature,
  isPeerTimestamp,
  PEER_NONCE_SECONDS,
  PEER_SKEW_SECONDS,
  signInput,
  type ClaimedRequest,
  type PeerPath,
} from '../../domain/federation/request-signature.ts';
import type { AgentPublicKey } from '../../domain/identity/agent-public-key.ts';
import { verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isUuid, type Uuid } from '../../domain/kernel/ids.ts';
import { isDrift } from '../../domain/kernel/row-drift.ts';
import { verifySignature, VerifyingKeys } from '../../domain/vault/signatures.ts';
import { DuplicateError, type UnitOfWork } from '../ports/unit-of-work.port.ts';

/** The head of a request as it came; undefined where a header is missing. */
export interface PeerHead {
  readonly path: PeerPath;
  readonly hubId: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly signature: string | undefined;
}

/** Why a request of a peer was refused, for those who operate the service. Who sent it is not told. */
export type PeerFault =
  'headers' | 'unknown_peer' | 'inactive_peer' | 'timestamp' | 'signature' | 'nonce_used';

export class RefusedPeer extends Error {
  override readonly name = 'RefusedPeer';

  /** @param proven the hub that the request is of beyond doubt; null where anybody may have sent it. */
  constructor(
    readonly fault: PeerFault,
    readonly proven: Uuid | null = null,
  ) {
    super(`the request of a peer was refused: ${fault}`);
  }
}

/**
 * Whether a request is one that a peer made, now and once. Everything that is refused here is the same 401, so nobody learns
 * which hubs are known here, or what of a request was wrong.
 */
export class AdmitPeer {
  private readonly verifying = new VerifyingKeys();

  constructor(
    private readonly peers: Pick<PeerReads, 'find'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** 401 of the form of the headers. */
  claim({ path, hubId, timestamp, nonce, signature }: PeerHead): ClaimedRequest {
    if (
      !hubId ||
      !timestamp ||
      !nonce ||
      !signature ||
      !isUuid(hubId) ||
      !isPeerTimestamp(timestamp) ||
      !isPeerNonce(nonce) ||
      !isPeerSignature(signature)
    )
      throw notAdmitted('headers');
    const bytes = decodeBase64Strict(signature);
    if (!bytes) throw notAdmitted('headers');
    return { path, hubId, timestamp, nonce, signature: bytes };
  }

  /** 401 where the hub is no ACTIVE peer; before the body is read. */
  async activePeer({ hubId }: ClaimedRequest): Promise<Peer> {
    const peer = await this.knownPeer(hubId);
    if (!peer) throw notAdmitted('unknown_peer');
    if (peer.status !== 'ACTIVE') throw notAdmitted('inactive_peer');
    return peer;
  }

  /** A row that was edited behind the service is none. */
  async knownPeer(hubId: Uuid): Promise<Peer | null> {
    try {
      return await this.peers.find(hubId);
    } catch (error) {
      if (isDrift(error)) throw notAdmitted('unknown_peer');
      throw error;
    }
  }

  /** 401 of a request that is too old or too new. */
  assertTimely({ timestamp }: ClaimedRequest): void {
    const skew = Math.abs(this.clock.now().getTime() - Date.parse(timestamp));
    if (skew > PEER_SKEW_SECONDS * 1_000) throw notAdmitted('timestamp');
  }

  /** 401 where the key did not sign exactly this request. */
  async assertSigned(
    claimed: ClaimedRequest,
    key: AgentPublicKey,
    body: Uint8Array,
  ): Promise<void> {
    if (!(await this.isSigned(claimed, key, body))) throw notAdmitted('signature');
  }

  async isSigned(
    { path, timestamp, nonce, signature }: ClaimedRequest,
    key: AgentPublicKey,
    body: Uint8Array,
  ): Promise<boolean> {
    const verifying = this.verifying.of(verifyingKeyOf(key));
    const signed = signInput(path, body, timestamp, nonce);
    return (await verifySignature(verifying, signature, signed)) === 'valid';
  }

  /** 401 where the nonce was used with this key before. */
  async spendNonce(
    { hubId, nonce }: ClaimedRequest,
    publicKeyThumbprint: string,
    isKnown: boolean,
  ): Promise<void> {
    const id = sha256(new TextEncoder().encode(`${publicKeyThumbprint}\n${nonce}`));
    const until = new Date(this.clock.now().getTime() + PEER_NONCE_SECONDS * 1_000).toISOString();
    try {
      await this.unitOfWork.transaction(({ peers }) => peers.spendNonce(id, until));
    } catch (error) {
      if (error instanceof DuplicateError) throw notAdmitted('nonce_used', isKnown ? hubId : null);
      throw error;
    }
  }

  /** The rest of it, once the body is read: signature, then nonce. */
  async admit(claimed: ClaimedRequest, peer: Peer, body: Uint8Array): Promise<VerifiedPeer> {
    const { hubId, publicKey, publicKeyThumbprint, generation, vaultRoot } = peer;
    await this.assertSigned(claimed, publicKey, body);
    // The body may have taken a while, and the peer may have been revoked meanwhile.
    const now = await this.activePeer(claimed);
    if (now.publicKeyThumbprint !== publicKeyThumbprint || now.generation !== generation)
      throw notAdmitted('inactive_peer');
    await this.spendNonce(claimed, publicKeyThumbprint, true);
    return { hubId, publicKeyThumbprint, generation, vaultRoot };
  }
}

export const notAdmitted = (fault: PeerFault, proven: Uuid | null = null): NotaryError =>
  new NotaryError(
    'UNAUTHORIZED',
    'The request is not one that an active peer of this hub signed, now and once.',
    {
      suggestion:
        'Check the clock, the hub key, the nonce, and whether both hubs show each other as ACTIVE.',
    },
    { cause: new RefusedPeer(fault, proven) },
  );
