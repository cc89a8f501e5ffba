import type { Reached } from '../hubs/stranger.ts';
import { Stranger } from '../hubs/stranger.ts';
import type { WireStory } from './wire-story.ts';

const PEERS = '/v1/admin/federation/peers';

/** Other hubs: registered, approved, suspended, revoked, and everything that is refused of it. */
export const tellPeers = async (
  { recorder, platform, admin, anonymous }: WireStory,
  hub: Reached,
): Promise<void> => {
  await anonymous.get('/federation/v1/identity');
  const [peer, stranger] = [new Stranger(), new Stranger()];
  recorder.name(peer.hubId, 'peer');
  recorder.name(stranger.hubId, 'stranger');
  const one = `${PEERS}/${peer.hubId}`;
  await platform.post(PEERS, peer.registration);
  await platform.post(PEERS, peer.registration);
  await platform.post(PEERS, { ...peer.registration, hubId: stranger.hubId });
  await platform.post(PEERS, { ...stranger.registration, baseUrl: 'http://hub.example' });
  await admin.post(PEERS, stranger.registration);
  await platform.post(`${one}/suspend`, {});
  await peer.greet(hub);
  await platform.get(one);
  await stranger.greet(hub);
  const waiting = `${PEERS}/${stranger.hubId}`;
  await platform.get(waiting);
  const { vaultRoot } = stranger;
  const publicKeyThumbprint = stranger.thumbprint;
  await platform.post(`${waiting}/approve`, { publicKeyThumbprint, vaultRoot: '0'.repeat(64) });
  await platform.post(`${waiting}/approve`, { publicKeyThumbprint, vaultRoot });
  await platform.patch(one, { baseUrl: 'https://hub.example:8443' });
  await platform.post(`${one}/suspend`, { reason: 'maintenance' });
  await platform.post(`${one}/resume`, {});
  await platform.post(`${one}/revoke`, { reason: 'contract ended' });
  await platform.get(`${PEERS}?limit=1`);
  await platform.post('/v1/admin/federation/hub-key/rotate', {});
  await platform.get('/federation/v1/admin/dlq');
  await platform.post('/federation/v1/admin/dlq/recover', {});
};
