import type { Peer, PeerClaim } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

interface NewPeer extends PeerClaim {
  /** Of the row, where there is none yet. */
  readonly id: Uuid;
  readonly ownKeyThumbprint: string;
  readonly now: string;
  /** When its handshake came; null: it is still to come. */
  readonly greetedAt: string | null;
}

/** Writes the row of a hub that is registered, for the first time or again. */
export const putPeer = async (
  { peers }: Pick<Stores, 'peers'>,
  before: Peer | null,
  { now, ...claim }: NewPeer,
): Promise<Peer> => {
  const peer: Peer = {
    ...claim,
    id: before?.id ?? claim.id,
    status: claim.greetedAt === null ? 'REGISTERED' : 'ACTIVE',
    name: before?.name ?? null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    generation: (before?.generation ?? 0) + 1,
    version: (before?.version ?? 0) + 1,
    handshakeDueAt: now,
    handshakeAttempts: 0,
  };
  if (before) await peers.update(peer);
  else await peers.insert(peer);
  return peer;
};
