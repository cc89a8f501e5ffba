import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { FederatedPerformer } from '../../domain/record/creation.ts';
import { isNotarizeOnly, type RecordType } from '../../domain/record-type/manifest.ts';

interface Naming {
  readonly performerAgentId?: string;
  readonly autoActivate?: boolean;
}

/** A performer on another hub, as a new record names it. */
export class NamePeer {
  constructor(
    private readonly peers: Pick<PeerReads, 'find'>,
    private readonly agents: Pick<AgentReads, 'find'>,
  ) {}

  /** @throws UNPROCESSABLE where the record cannot be offered to that hub. */
  async of(
    { performerAgentId, autoActivate }: Naming,
    federation: FederatedPerformer,
    { manifest }: RecordType,
  ): Promise<FederatedPerformer> {
    if (autoActivate)
      throw refusal(
        '/autoActivate',
        'The performer lives on another hub and must consent before the record starts.',
        'Leave autoActivate out; the peer is then offered the record.',
      );
    if (isNotarizeOnly(manifest))
      throw refusal(
        '/federation',
        'The record type notarizes: its records have no performer that acts on them.',
        'Leave federation out, or use a type with completions.',
      );
    if (performerAgentId !== undefined)
      throw refusal(
        '/performerAgentId',
        'The performer is named twice.',
        'Name it in federation.performerAgentId alone.',
      );
    const peer = await this.peers.find(federation.peerHubId);
    if (peer?.status !== 'ACTIVE')
      throw refusal(
        '/federation/peerHubId',
        `The hub ${federation.peerHubId} is no active peer of this one.`,
        'Let a platform operator register the peer on both sides, and try again once it is ACTIVE.',
      );
    if (await this.agents.find(federation.performerAgentId))
      throw refusal(
        '/federation/performerAgentId',
        `The agent ${federation.performerAgentId} belongs to this hub.`,
        'Name it in performerAgentId, without federation.',
      );
    const { peerHubId, performerAgentId: agentId } = federation;
    return { peerHubId, performerAgentId: agentId, generation: peer.generation };
  }
}

const refusal = (path: string, detail: string, suggestion: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', detail, {
    errors: [{ path, keyword: 'federation', message: detail }],
    suggestion,
  });
