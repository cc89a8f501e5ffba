import { Type } from 'typebox';
import { hubKeyJwk } from '../../domain/federation/peer-claim.ts';
import { peerActsOf } from '../../domain/federation/peer-transitions.ts';
import { PEER_STATUSES, type PendingPeer } from '../../domain/federation/peer.ts';
import { AT, HASH, IDS } from '../call/example-story.ts';
import type { Guide, NextStep } from '../call/guide.ts';
import { GUIDANCE, nullable, oneOf, Sha256, Timestamp, Uuid } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { statusOf, type ShownPeer } from './shown-peer.ts';
import type { RolledHubKey } from './roll-hub-key.ts';

const HubKeyJwk = Type.Object(
  { kty: oneOf(['OKP']), crv: oneOf(['Ed25519']), x: Type.String() },
  { description: 'The hub key, by which requests of the hub are signed' },
);
const Thumbprint = { ...Sha256, description: 'RFC 9679 of publicKeyJwk: SHA-256' };
const VaultRoot = {
  ...Sha256,
  description:
    'SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub',
};

export const PeerSchema = Type.Object({
  hubId: Uuid,
  name: nullable(Type.String({ description: 'As the hub calls itself; it decides nothing' })),
  baseUrl: Type.String(),
  publicKeyJwk: HubKeyJwk,
  publicKeyThumbprint: Thumbprint,
  vaultRoot: VaultRoot,
  status: oneOf(PEER_STATUSES),
  greetedAt: nullable({ ...Timestamp, description: 'When its handshake came' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: nullable({ ...Timestamp, description: 'Of a handshake that waits: PENDING alone' }),
});

const PendingSchema = Type.Object({
  publicKeyThumbprint: Thumbprint,
  vaultRoot: VaultRoot,
  baseUrl: Type.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});

export const PeerDetailSchema = Type.Object({
  ...PeerSchema.properties,
  pending: Type.Array(PendingSchema, {
    description: 'Handshakes under this hubId that wait for an operator, by key',
  }),
  ...GUIDANCE,
});

export const ChangedPeerSchema = Type.Object({ ...PeerSchema.properties, ...GUIDANCE });

export const RolledHubKeySchema = Type.Object({
  publicKeyJwk: HubKeyJwk,
  publicKeyThumbprint: Thumbprint,
  previousThumbprint: Thumbprint,
  createdAt: Timestamp,
  peersToTell: Type.Integer({ minimum: 0 }),
  ...GUIDANCE,
});

export const peerView = (peer: ShownPeer): ViewOf<typeof PeerSchema> => ({
  hubId: peer.hubId,
  name: 'name' in peer ? peer.name : null,
  baseUrl: peer.baseUrl,
  publicKeyJwk: jwkView(peer.publicKey),
  publicKeyThumbprint: peer.publicKeyThumbprint,
  vaultRoot: peer.vaultRoot,
  status: statusOf(peer),
  greetedAt: 'greetedAt' in peer ? peer.greetedAt : peer.createdAt,
  createdAt: peer.createdAt,
  updatedAt: 'updatedAt' in peer ? peer.updatedAt : peer.createdAt,
  expiresAt: 'expiresAt' in peer ? peer.expiresAt : null,
});

export const changedPeerView = (
  peer: ShownPeer,
  guide: Guide,
): ViewOf<typeof ChangedPeerSchema> => ({
  ...peerView(peer),
  suggestion: WORDS[statusOf(peer)],
  nextSteps: guide.steps(...stepsOf(peer)),
});

export const peerDetailView = (
  { peer, pending }: { readonly peer: ShownPeer; readonly pending: readonly PendingPeer[] },
  guide: Guide,
): ViewOf<typeof PeerDetailSchema> => ({
  ...changedPeerView(peer, guide),
  pending: pending.map(({ publicKeyThumbprint, vaultRoot, baseUrl, createdAt, expiresAt }) => ({
    publicKeyThumbprint,
    vaultRoot,
    baseUrl,
    createdAt,
    expiresAt,
  })),
});

export const rolledHubKeyView = (
  { current, previousThumbprint, peersToTell }: RolledHubKey,
  guide: Guide,
): ViewOf<typeof RolledHubKeySchema> => ({
  publicKeyJwk: jwkView(current.publicKey),
  publicKeyThumbprint: current.thumbprint,
  previousThumbprint,
  createdAt: current.createdAt,
  peersToTell,
  suggestion: PEERS_ARE_TOLD,
  nextSteps: guide.steps(LIST_PEERS),
});

const jwkView = (key: ShownPeer['publicKey']): ViewOf<typeof HubKeyJwk> => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: hubKeyJwk(key).x,
});

export const PEERS_ARE_TOLD =
  'Peers are told now; each is asked by the former key until it answered. Compare the new thumbprint with whoever registers this hub from now on.';

export const WORDS: Readonly<Record<ReturnType<typeof statusOf>, string>> = {
  REGISTERED:
    'The hub is ACTIVE as soon as its handshake comes: let its administrator register this hub as well.',
  PENDING:
    'Compare publicKeyThumbprint and vaultRoot with the administrator of the hub over a channel that you trust, then approve exactly these.',
  ACTIVE: 'Records can be proposed to agents of this hub.',
  SUSPENDED: 'Messages wait on both sides. Resume the peer, or revoke it.',
  REVOKED: 'Nothing goes to this hub or comes from it. It can be registered again.',
};

export const LIST_PEERS = {
  action: 'list',
  operation: 'listPeers',
  input: {},
  description: 'List the peers',
} as const satisfies NextStep;

const STEPS = {
  approve: ['approvePeer', 'Approve exactly the key and the root that were compared'],
  suspend: ['suspendPeer', 'Let messages wait'],
  resume: ['resumePeer', 'Let messages go on'],
  revoke: ['revokePeer', 'End the peering'],
  update: ['updatePeer', 'Change where the hub is reached'],
} as const;

const stepsOf = (peer: ShownPeer): readonly NextStep[] =>
  peerActsOf(statusOf(peer)).flatMap((act) => {
    const [operation, description] = STEPS[act as keyof typeof STEPS];
    return [{ action: act, operation, input: { hubId: peer.hubId }, description }];
  });

export const PEER = {
  hubId: IDS.hub,
  name: 'Example Hub',
  baseUrl: 'https://hub.example',
  publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  publicKeyThumbprint: '866eefbd6718c8846cd7ddfe43fc74ab1daac4538ff8514ea2ec2d410a415743',
  vaultRoot: HASH,
  status: 'ACTIVE',
  greetedAt: AT,
  createdAt: AT,
  updatedAt: AT,
  expiresAt: null,
} as const;
