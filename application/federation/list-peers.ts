import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { PeerStatus } from '../../domain/federation/peer.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { CallContext } from '../call/call-context.ts';
import { statusOf, type ShownPeer } from './shown-peer.ts';

export class ListPeers {
  constructor(
    private readonly peers: PeerReads,
    private readonly clock: Clock,
  ) {}

  async execute(
    _context: CallContext,
    { status, slice }: { readonly status?: PeerStatus; readonly slice: SliceRequest },
  ): Promise<Slice<ShownPeer>> {
    const now = this.clock.now().toISOString();
    const rows = [...(await this.peers.all()), ...(await this.peers.pending(now))]
      .filter((peer) => status === undefined || statusOf(peer) === status)
      .sort(newestFirst);
    return sliceOf(rows, slice);
  }
}

const newestFirst = (a: ShownPeer, b: ShownPeer): number =>
  compare(b.createdAt, a.createdAt) || compare(b.id, a.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** There are few: registered by hand, and at most a hundred that wait. */
const sliceOf = (rows: readonly ShownPeer[], { limit, after }: SliceRequest): Slice<ShownPeer> => {
  const from = after
    ? rows.findIndex(
        ({ createdAt, id }) => createdAt < after.key || (createdAt === after.key && id < after.id),
      )
    : 0;
  const page = from < 0 ? [] : rows.slice(from, from + limit);
  const last = page.at(-1);
  const hasMore = from >= 0 && from + limit < rows.length;
  return {
    rows: page,
    total: rows.length,
    totalIsCapped: false,
    next: hasMore && last ? { key: last.createdAt, id: last.id } : null,
  };
};
