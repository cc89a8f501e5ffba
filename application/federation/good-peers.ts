import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { Peer } from '../../domain/federation/peer.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { unlessDrifted } from '../../domain/kernel/row-drift.ts';

export interface GoodPeers {
  readonly peers: readonly Peer[];
  /** Hubs whose rows were edited behind the service: nothing is done for them, and the others do not wait. */
  readonly drifted: readonly Uuid[];
}

export type EveryPeer = Pick<PeerReads, 'find' | 'all' | 'hubIds'>;

/** Every peer whose row is as the service wrote it. One row that was edited stops what is due of no other peer. */
export const goodPeers = async (reads: EveryPeer): Promise<GoodPeers> => {
  const whole = await unlessDrifted(reads.all());
  if (whole) return { peers: whole, drifted: [] };
  const [peers, drifted]: [Peer[], Uuid[]] = [[], []];
  for (const hubId of await reads.hubIds()) {
    const peer = await unlessDrifted(reads.find(hubId));
    if (peer) peers.push(peer);
    else drifted.push(hubId);
  }
  return { peers, drifted };
};
