import type { EventType } from '../event/event-types.ts';
import type { PlatformEntryType } from '../vault/entry-type.ts';
import type { PeerStatus, RegisteredStatus } from './peer.ts';

export type PeerAct =
  'register' | 'approve' | 'greet' | 'update' | 'change-key' | 'suspend' | 'resume' | 'revoke';

interface PeerTransition {
  /** null: there is no row yet. */
  readonly from: readonly (PeerStatus | null)[];
  /** 'same' where the status stays. */
  readonly to: RegisteredStatus | 'same';
  readonly entryType: PlatformEntryType;
  readonly event: EventType;
}

/** Every change of a peer: from where, to where, and what the platform chain and events say of it. */
export const PEER_TRANSITIONS = {
  register: {
    from: [null, 'REVOKED'],
    to: 'REGISTERED',
    entryType: 'PEER_REGISTERED',
    event: 'peer.registered',
  },
  approve: {
    from: ['PENDING', 'REVOKED'],
    to: 'ACTIVE',
    entryType: 'PEER_APPROVED',
    event: 'peer.approved',
  },
  /** Its handshake came, by the key and the root that were registered. */
  greet: { from: ['REGISTERED'], to: 'ACTIVE', entryType: 'PEER_UPDATED', event: 'peer.updated' },
  update: {
    from: ['REGISTERED', 'ACTIVE', 'SUSPENDED'],
    to: 'same',
    entryType: 'PEER_UPDATED',
    event: 'peer.updated',
  },
  'change-key': {
    from: ['REGISTERED', 'ACTIVE'],
    to: 'ACTIVE',
    entryType: 'PEER_KEY_CHANGED',
    event: 'peer.key_changed',
  },
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    entryType: 'PEER_SUSPENDED',
    event: 'peer.suspended',
  },
  resume: { from: ['SUSPENDED'], to: 'ACTIVE', entryType: 'PEER_RESUMED', event: 'peer.resumed' },
  revoke: {
    from: ['REGISTERED', 'ACTIVE', 'SUSPENDED'],
    to: 'REVOKED',
    entryType: 'PEER_REVOKED',
    event: 'peer.revoked',
  },
} as const satisfies Record<PeerAct, PeerTransition>;

export const allowsPeerAct = (act: PeerAct, from: PeerStatus | null): boolean =>
  (PEER_TRANSITIONS[act].from as readonly (PeerStatus | null)[]).includes(from);

/** What an operator may do with a peer of this status. */
export const peerActsOf = (status: PeerStatus): readonly PeerAct[] =>
  (['approve', 'update', 'suspend', 'resume', 'revoke'] as const).filter(
    (act) => allowsPeerAct(act, status) && !(act === 'approve' && status === 'REVOKED'),
  );
