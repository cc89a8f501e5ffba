import type { Peer, PeerStatus } from '../../domain/federation/peer.ts';
import {
  PEER_TRANSITIONS,
  allowsPeerAct,
  peerActsOf,
  type PeerAct,
} from '../../domain/federation/peer-transitions.ts';
import type { PeerClaim } from '../../domain/federation/peer.ts';
import type { PlatformFacts } from '../../domain/identity/platform-facts.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Origin } from '../sealing/origin.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** What the platform chain says of a peer: thumbprint, root and state, and where it is reached. */
export const sealPeer = async (
  sealPlatform: SealPlatform,
  stores: Stores,
  origin: Origin,
  act: PeerAct,
  peer: Peer,
  more: { readonly reason?: string | undefined; readonly members?: JsonObject } = {},
): Promise<void> => {
  const { entryType, event } = PEER_TRANSITIONS[act];
  const { hubId: peerHubId, baseUrl, publicKeyThumbprint, vaultRoot, status: state } = peer;
  const reason: JsonObject = more.reason === undefined ? {} : { reason: more.reason };
  await sealPlatform.seal(stores, origin, {
    entryType,
    orgId: null,
    rows: { [peer.id]: peer.version },
    members: {
      peerHubId,
      baseUrl,
      publicKeyThumbprint,
      vaultRoot,
      state,
      ...reason,
      ...more.members,
    },
    event,
    eventData: { peerHubId, ...reason },
  });
};

/** The status after the act. @throws UNPROCESSABLE_STATE where the peer is in no status for it. */
export const statusAfter = (act: PeerAct, from: PeerStatus): Peer['status'] => {
  if (!allowsPeerAct(act, from))
    throw new NotaryError('UNPROCESSABLE_STATE', `A peer that is ${from} takes no ${act}.`, {
      currentState: from,
      attemptedAction: act,
      allowedActions: peerActsOf(from),
    });
  const { to } = PEER_TRANSITIONS[act];
  return to === 'same' ? (from as Peer['status']) : to;
};

/**
 * A key belongs to one hubId for ever, whether a row says so or not.
 *
 * @throws UNPROCESSABLE
 */
export const assertKeyIsFree = (
  facts: Pick<PlatformFacts, 'peerOfKey' | 'isHubKey'>,
  { hubId, publicKeyThumbprint }: Pick<PeerClaim, 'hubId' | 'publicKeyThumbprint'>,
): void => {
  if (facts.isHubKey(publicKeyThumbprint)) throw taken('it is a hub key of this hub itself');
  const holder = facts.peerOfKey(publicKeyThumbprint);
  if (holder !== null && holder !== hubId)
    throw taken('it was registered for another hubId, and a key belongs to one hub for ever');
};

/** @throws UNPROCESSABLE */
export const assertOtherHub = (hubId: Uuid, ownHubId: Uuid): void => {
  if (hubId === ownHubId)
    throw new NotaryError('UNPROCESSABLE', 'This is the hubId of this hub itself.', {
      errors: [{ path: '/hubId', keyword: 'not', message: 'must be of another hub' }],
    });
};

export const taken = (why: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', `The key cannot be taken: ${why}.`, {
    errors: [{ path: '/publicKeyJwk', keyword: 'unique', message: why }],
    suggestion: 'Ask the other hub for the key that its identity shows, and compare it.',
  });
