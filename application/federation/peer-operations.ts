import { Type } from 'typebox';
import { PEER_STATUSES } from '../../domain/federation/peer.ts';
import { pageExample } from '../call/example-story.ts';
import { listing, operation } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { PAGE_INPUT, Sha256, Uuid, oneOf, pageOf } from '../call/schemas.ts';
import { ApprovePeer } from './approve-peer.ts';
import {
  changedPeerView,
  ChangedPeerSchema,
  LIST_PEERS,
  PEER,
  PeerDetailSchema,
  peerDetailView,
  PEERS_ARE_TOLD,
  PeerSchema,
  peerView,
  RolledHubKeySchema,
  rolledHubKeyView,
  WORDS,
} from './peer-view.ts';
import { GetPeer } from './get-peer.ts';
import { ListPeers } from './list-peers.ts';
import { RegisterPeer } from './register-peer.ts';
import { ResumePeer } from './resume-peer.ts';
import { RevokePeer } from './revoke-peer.ts';
import { RollHubKey } from './roll-hub-key.ts';
import { SuspendPeer } from './suspend-peer.ts';
import { UpdatePeer } from './update-peer.ts';

const PLATFORM = { scope: 'admin:system', roles: ['platform'] } as const;
const GROUP = 'Federation';

const BaseUrl = Type.String({
  minLength: 9,
  maxLength: 256,
  description: 'The https origin of the hub, without a path',
});
const Reason = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, description: 'Sealed on the platform chain' }),
);
const HUB = { hubId: Uuid } as const;
const target = ({ hubId }: { readonly hubId?: string }) =>
  hubId ? { kind: 'peer', id: hubId } : null;

export const registerPeer = operation({
  id: 'registerPeer',
  words: {
    summary: 'Register another hub as a peer',
    description:
      'By what its administrator told over a channel that you trust: that is the approval of exactly this key and this root. Both sides register each other; each sends the other a handshake, and is ACTIVE there once that came.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object(
    {
      baseUrl: BaseUrl,
      hubId: Uuid,
      publicKeyJwk: Type.Unsafe<{ readonly [member: string]: unknown }>({
        type: 'object',
        description: 'The public hub key as a JWK (RFC 8037) on Ed25519',
      }),
      vaultRoot: Sha256,
    },
    { additionalProperties: false },
  ),
  output: ChangedPeerSchema,
  examples: {
    hub: {
      baseUrl: PEER.baseUrl,
      hubId: PEER.hubId,
      publicKeyJwk: PEER.publicKeyJwk,
      vaultRoot: PEER.vaultRoot,
    },
  },
  result: {
    description: 'The peer',
    example: {
      ...PEER,
      status: 'REGISTERED',
      greetedAt: null,
      suggestion: WORDS.REGISTERED,
      nextSteps: [LIST_PEERS],
    },
  },
  problems: ['CONFLICT', 'UNPROCESSABLE'],
  useCase: RegisterPeer,
  view: (peer, guide) => ({ view: changedPeerView(peer, guide) }),
});

export const listPeers = listing({
  id: 'listPeers',
  words: {
    summary: 'List peers and handshakes that wait, newest first',
    group: GROUP,
  },
  access: () => PLATFORM,
  input: Type.Object(
    { status: Type.Optional(oneOf(PEER_STATUSES, 'Only those of this status')), ...PAGE_INPUT },
    { additionalProperties: false },
  ),
  output: pageOf(PeerSchema),
  result: { description: 'A page of peers', example: pageExample(PEER) },
  useCase: ListPeers,
  view: (slice, guide) => pageView(slice, guide, peerView),
});

export const getPeer = operation({
  id: 'getPeer',
  words: {
    summary: 'One peer, with the handshakes under its hubId that wait',
    group: GROUP,
  },
  effect: 'read',
  access: () => PLATFORM,
  input: Type.Object(HUB, { additionalProperties: false }),
  output: PeerDetailSchema,
  result: {
    description: 'The peer',
    example: { ...PEER, pending: [], suggestion: WORDS.ACTIVE, nextSteps: [LIST_PEERS] },
  },
  target,
  useCase: GetPeer,
  view: (found, guide) => ({ view: peerDetailView(found, guide) }),
});

export const updatePeer = operation({
  id: 'updatePeer',
  words: {
    summary: 'Change where a peer is reached',
    description: 'Its key changes by a roll-over of its own alone, and its root never.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({ ...HUB, baseUrl: BaseUrl }, { additionalProperties: false }),
  output: ChangedPeerSchema,
  examples: { moved: { baseUrl: PEER.baseUrl } },
  result: {
    description: 'The peer',
    example: { ...PEER, suggestion: WORDS.ACTIVE, nextSteps: [LIST_PEERS] },
  },
  problems: ['UNPROCESSABLE', 'UNPROCESSABLE_STATE'],
  target,
  useCase: UpdatePeer,
  view: (peer, guide) => ({ view: changedPeerView(peer, guide) }),
});

export const approvePeer = operation({
  id: 'approvePeer',
  words: {
    summary: 'Approve a hub whose handshake waits',
    description:
      'Registers it by exactly this key and this root. Compare both with its administrator over a channel that you trust first: a handshake proves nothing but that its sender has the key.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object(
    { ...HUB, publicKeyThumbprint: Sha256, vaultRoot: Sha256 },
    { additionalProperties: false },
  ),
  output: ChangedPeerSchema,
  examples: {
    compared: { publicKeyThumbprint: PEER.publicKeyThumbprint, vaultRoot: PEER.vaultRoot },
  },
  result: {
    description: 'The peer',
    example: { ...PEER, suggestion: WORDS.ACTIVE, nextSteps: [LIST_PEERS] },
  },
  problems: ['UNPROCESSABLE', 'UNPROCESSABLE_STATE'],
  target,
  useCase: ApprovePeer,
  view: (peer, guide) => ({ view: changedPeerView(peer, guide) }),
});

export const suspendPeer = operation({
  id: 'suspendPeer',
  words: {
    summary: 'Suspend a peer',
    description:
      'Messages to it wait and its own are refused, until it is resumed. Records at home go on, and by the clock of home.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({ ...HUB, reason: Reason }, { additionalProperties: false }),
  output: ChangedPeerSchema,
  examples: { maintenance: { reason: 'maintenance until Monday' } },
  result: {
    description: 'The peer',
    example: {
      ...PEER,
      status: 'SUSPENDED',
      suggestion: WORDS.SUSPENDED,
      nextSteps: [LIST_PEERS],
    },
  },
  problems: ['UNPROCESSABLE_STATE'],
  target,
  useCase: SuspendPeer,
  view: (peer, guide) => ({ view: changedPeerView(peer, guide) }),
});

export const resumePeer = operation({
  id: 'resumePeer',
  words: { summary: 'Resume a suspended peer', group: GROUP },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({ ...HUB, reason: Reason }, { additionalProperties: false }),
  output: ChangedPeerSchema,
  examples: { done: {} },
  result: {
    description: 'The peer',
    example: { ...PEER, suggestion: WORDS.ACTIVE, nextSteps: [LIST_PEERS] },
  },
  problems: ['UNPROCESSABLE_STATE'],
  target,
  useCase: ResumePeer,
  view: (peer, guide) => ({ view: changedPeerView(peer, guide) }),
});

export const revokePeer = operation({
  id: 'revokePeer',
  words: {
    summary: 'Revoke a peer',
    description:
      'Ends the peering. What waits for it is not sent; mirrors of its records here end EXPIRED; records that are at home here go on without its steps. It can be registered again, and starts with new records only.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({ ...HUB, reason: Reason }, { additionalProperties: false }),
  output: ChangedPeerSchema,
  examples: { ended: { reason: 'contract ended' } },
  result: {
    description: 'The peer',
    example: { ...PEER, status: 'REVOKED', suggestion: WORDS.REVOKED, nextSteps: [LIST_PEERS] },
  },
  problems: ['UNPROCESSABLE_STATE'],
  target,
  useCase: RevokePeer,
  view: (peer, guide) => ({ view: changedPeerView(peer, guide) }),
});

export const rollHubKey = operation({
  id: 'rollHubKey',
  words: {
    summary: 'Roll the hub key over',
    description:
      'Makes a new hub key and tells every peer, by a handshake that the former key signs and that holds a signature of the new one. Until a peer answered, requests to it are signed by the former key. A key that was stolen must not vouch for its successor: revoke the peers and let both sides register anew.',
    group: GROUP,
  },
  effect: 'write',
  access: () => PLATFORM,
  input: Type.Object({}, { additionalProperties: false }),
  output: RolledHubKeySchema,
  examples: { now: {} },
  result: {
    description: 'The new key',
    example: {
      publicKeyJwk: PEER.publicKeyJwk,
      publicKeyThumbprint: PEER.publicKeyThumbprint,
      previousThumbprint: '5'.repeat(64),
      createdAt: PEER.createdAt,
      peersToTell: 1,
      suggestion: PEERS_ARE_TOLD,
      nextSteps: [LIST_PEERS],
    },
  },
  problems: ['CONFLICT', 'UNPROCESSABLE', 'SERVICE_UNAVAILABLE'],
  useCase: RollHubKey,
  view: (rolled, guide) => ({ view: rolledHubKeyView(rolled, guide) }),
});
