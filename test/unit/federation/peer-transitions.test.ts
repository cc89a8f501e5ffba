import { describe, expect, it } from 'vitest';
import {
  allowsPeerAct,
  PEER_TRANSITIONS,
  peerActsOf,
  type PeerAct,
} from '../../../domain/federation/peer-transitions.ts';
import { PEER_STATUSES, type PeerStatus } from '../../../domain/federation/peer.ts';
import { EVENT_TYPES } from '../../../domain/event/event-types.ts';
import { PLATFORM_ENTRY_TYPES } from '../../../domain/vault/entry-type.ts';

const ACTS = Object.keys(PEER_TRANSITIONS) as PeerAct[];
const after = (act: PeerAct, from: PeerStatus | null): PeerStatus | null => {
  const { to } = PEER_TRANSITIONS[act];
  return to === 'same' ? from : to;
};

describe('the statuses of a peer', () => {
  it('are all reached, from a hub that nobody knows or whose handshake waits', () => {
    const reached = new Set<PeerStatus | null>([null, 'PENDING']);
    for (let size = 0; size !== reached.size;) {
      size = reached.size;
      for (const from of [...reached])
        for (const act of ACTS) if (allowsPeerAct(act, from)) reached.add(after(act, from));
    }
    reached.delete(null);
    expect([...reached].sort()).toEqual([...PEER_STATUSES].sort());
  });

  it('are no trap: each leads to ACTIVE', () => {
    for (const begin of PEER_STATUSES) {
      const reached = new Set<PeerStatus | null>([begin]);
      for (let size = 0; size !== reached.size;) {
        size = reached.size;
        for (const from of [...reached])
          for (const act of ACTS) if (allowsPeerAct(act, from)) reached.add(after(act, from));
      }
      expect([begin, reached.has('ACTIVE')]).toEqual([begin, true]);
    }
  });

  it('let a revoked hub do nothing but be registered, and none become ACTIVE by its own word alone', () => {
    expect(ACTS.filter((act) => allowsPeerAct(act, 'REVOKED'))).toEqual(['register', 'approve']);
    expect(ACTS.filter((act) => allowsPeerAct(act, null))).toEqual(['register']);
    expect(ACTS.filter((act) => allowsPeerAct(act, 'PENDING'))).toEqual(['approve']);
  });

  it('show operators what they may do, and each act has its entry and its event', () => {
    expect(Object.fromEntries(PEER_STATUSES.map((status) => [status, peerActsOf(status)]))).toEqual(
      {
        REGISTERED: ['update', 'revoke'],
        PENDING: ['approve'],
        ACTIVE: ['update', 'suspend', 'revoke'],
        SUSPENDED: ['update', 'resume', 'revoke'],
        REVOKED: [],
      },
    );
    for (const { entryType, event } of Object.values(PEER_TRANSITIONS)) {
      expect(PLATFORM_ENTRY_TYPES).toContain(entryType);
      expect(EVENT_TYPES).toContain(event);
    }
  });
});
