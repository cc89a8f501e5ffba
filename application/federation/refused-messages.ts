import { addressBlock } from '../../domain/identity/ip-range.ts';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { SummedEvents } from '../event/summed-events.ts';
import type { Rest } from '../ports/sums.ts';
import { RefusedPeer } from './admit-peer.ts';

/** Nobody knows who called. */
const NOBODY = { kind: 'system', agentId: null } as const;

/** What is told of refused messages that found no place of their own. */
export const OTHER_MESSAGES: Rest = {
  type: 'peer.message_refused',
  orgId: null,
  partyAgentId: null,
  agentId: null,
  data: { peerHubId: null, reason: 'others', actor: NOBODY },
};

/** Tells of requests between hubs that were refused: of a peer where it is proven, and else of an address. */
export class RefusedMessages {
  constructor(
    private readonly ofPeers: Pick<SummedEvents, 'tell'>,
    private readonly ofAnybody: Pick<SummedEvents, 'tell'>,
  ) {}

  /** @param peerHubId of whom the request is beyond doubt; null where that is not known. */
  tell(
    error: NotaryError,
    peerHubId: Uuid | null,
    { address, requestId }: { readonly address: string; readonly requestId: string },
  ): void {
    const refused = error.cause instanceof RefusedPeer ? error.cause : null;
    const proven = refused?.proven ?? peerHubId;
    const reason = refused?.fault ?? error.members.reason ?? error.code.toLowerCase();
    if (proven === null) return this.tellOfAddress(reason, address, requestId);
    this.ofPeers.tell({
      group: JSON.stringify([proven, reason]),
      type: 'peer.message_refused',
      orgId: null,
      partyAgentId: null,
      agentId: null,
      data: { peerHubId: proven, reason, actor: { kind: 'peer', agentId: null } },
      requestId,
    });
  }

  private tellOfAddress(reason: string, address: string, requestId: string): void {
    const block = addressBlock(address);
    this.ofAnybody.tell({
      group: JSON.stringify([block, `peer_${reason}`, null]),
      type: 'auth.refused',
      orgId: null,
      partyAgentId: null,
      agentId: null,
      data: { addressBlock: block, reason: `peer_${reason}`, apiKeyId: null, actor: NOBODY },
      requestId,
    });
  }
}
