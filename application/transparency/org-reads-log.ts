import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ReadClaim } from '../../domain/transparency/org-read.ts';
import type { OrgReadsLeaves } from '../../domain/transparency/org-reads-store.port.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { OrgReadsLane } from './org-reads-lane.ts';

/** Orgs whose log is remembered: beyond them a log is looked up again. */
const MAX_LANES = 10_000;

/** Appends to the logs of reads, one lane for each org. */
export class OrgReadsLog {
  private readonly lanes = new Map<Uuid, OrgReadsLane>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: OrgReadsLeaves,
    private readonly vault: Vault,
    private readonly platform: Pick<PlatformLedger, 'recentFacts'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the leaf is on the disk.
   *
   * @throws CONFLICT with reason log_broken where the stored log is not the one that was signed.
   */
  append(orgId: Uuid, claim: ReadClaim): Promise<void> {
    return this.laneOf(orgId).append(claim);
  }

  private laneOf(orgId: Uuid): OrgReadsLane {
    const known = this.lanes.get(orgId);
    if (known) return known;
    if (this.lanes.size >= MAX_LANES) this.forgetIdle();
    const { unitOfWork, reads, vault, platform, clock } = this;
    const lane = new OrgReadsLane(orgId, { unitOfWork, reads, vault, platform, clock });
    this.lanes.set(orgId, lane);
    return lane;
  }

  private forgetIdle(): void {
    for (const [orgId, lane] of this.lanes) if (lane.isIdle) this.lanes.delete(orgId);
  }
}
