import {
  approvePeer,
  getPeer,
  listPeers,
  registerPeer,
  resumePeer,
  revokePeer,
  rollHubKey,
  suspendPeer,
  updatePeer,
} from '../../../application/federation/peer-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PEERS = '/v1/admin/federation/peers';
const ONE = `${PEERS}/{hubId}`;

/** Other hubs, and the key by which this one speaks to them. */
export const federationBindings: readonly RestBinding[] = [
  bind(registerPeer, {
    method: 'POST',
    path: PEERS,
    status: 201,
    location: ({ hubId }) => `${PEERS}/${hubId}`,
    locationWords: 'The path of the peer',
  }),
  bind(listPeers, { method: 'GET', path: PEERS }),
  bind(getPeer, { method: 'GET', path: ONE }),
  bind(updatePeer, { method: 'PATCH', path: ONE, refresh: ONE }),
  bind(approvePeer, { method: 'POST', path: `${ONE}/approve`, status: 200, refresh: ONE }),
  bind(suspendPeer, { method: 'POST', path: `${ONE}/suspend`, status: 200, refresh: ONE }),
  bind(resumePeer, { method: 'POST', path: `${ONE}/resume`, status: 200, refresh: ONE }),
  bind(revokePeer, { method: 'POST', path: `${ONE}/revoke`, status: 200, refresh: ONE }),
  bind(rollHubKey, {
    method: 'POST',
    path: '/v1/admin/federation/hub-key/rotate',
    status: 200,
    takesEmptyBody: true,
  }),
];
