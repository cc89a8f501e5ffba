import { AnchorError } from '../../domain/vault/anchor.port.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { RewindReads } from '../../domain/vault/rewind-store.port.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import type { Log } from '../ports/log.port.ts';
import { aboutOrg, actorData, type EventOutbox } from '../sealing/event-outbox.ts';
import { systemOrigin } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import { rewindName, type RewindGuard } from '../sealing/rewind-guard.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { LostRevocations } from './lost-revocations.ts';
import type { RestoredChains } from './restored-chains.ts';
import type { RewindCheck } from './rewind-check.ts';

/** Keeps the guard of this process at what is found and acknowledged, here and on other nodes. */
export class RewindWatch {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: RewindReads,
    private readonly check: RewindCheck,
    private readonly ledger: PlatformLedger,
    private readonly guard: RewindGuard,
    private readonly restored: RestoredChains,
    private readonly revocations: Pick<LostRevocations, 'read' | 'compare'>,
    private readonly outbox: EventOutbox,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly log: Log,
  ) {}

  /** Before the first signature. Where the anchors cannot be read, nothing is signed until they can. */
  async open(): Promise<void> {
    await this.compare();
    await this.follow();
  }

  /** Every second or so. */
  async follow(): Promise<void> {
    if (this.guard.isUncompared) await this.compare();
    const open = await this.reads.open();
    if (open.length > 0 || this.guard.findings.length > 0) {
      // Read after the rows: what was acknowledged before them is known.
      const { isAcknowledged } = await this.ledger.losses({ now: true });
      for (const finding of open)
        if (!isAcknowledged(finding) && !this.guard.knows(finding)) await this.blockOrLift(finding);
      // No row lifts a finding: where one is gone, this process looks at the chain itself.
      const stored = new Set(open.map(rewindName));
      for (const finding of this.guard.findings)
        if (
          isAcknowledged(finding) ||
          (!stored.has(rewindName(finding)) && (await this.isWhole(finding)))
        )
          this.guard.lift(finding);
    }
    await this.store();
    await this.revocations.compare();
  }

  /** Lifts what was found where the chain is whole again: nothing is lost, so nothing has to be acknowledged. */
  async liftRestored(): Promise<void> {
    await this.store();
    for (const finding of this.guard.findings)
      if (await this.isWhole(finding)) await this.lift(finding);
  }

  /** Stores what this process found, and tells of it once. */
  async store(): Promise<void> {
    const news = this.guard.takeNews();
    const superseded = this.guard.takeSuperseded();
    if (news.length + superseded.length === 0) return;
    const requestId = this.ids.next();
    try {
      await this.unitOfWork.transaction(async (stores) => {
        for (const finding of superseded) await stores.rewinds.remove(finding);
        for (const finding of news)
          if (await stores.rewinds.add(finding))
            await this.outbox.enqueue(
              stores,
              { at: this.clock.now().toISOString(), position: null, requestId },
              'vault.rewind_detected',
              aboutOrg(null, null),
              { ...rewindData(finding), actor: actorData(systemOrigin(requestId)) },
            );
      });
    } catch (error) {
      this.guard.giveBack(news, superseded);
      throw error;
    }
    for (const finding of news)
      this.log.error(
        rewindData(finding),
        'a chain was rewound: it is not the one that a signed checkpoint shows',
      );
  }

  /** Stored by another node, or before this start. The chain may be whole again since. */
  private async blockOrLift(finding: RewindFinding): Promise<void> {
    if (await this.isWhole(finding)) await this.lift(finding);
    else this.guard.block(finding, true);
  }

  private async lift(finding: RewindFinding): Promise<void> {
    await this.unitOfWork.transaction(({ rewinds }) => rewinds.remove(finding));
    this.guard.lift(finding);
    this.log.warn(
      rewindData(finding),
      'a chain that was found rewound is whole again, and is written again',
    );
  }

  private isWhole(finding: RewindFinding): Promise<boolean> {
    return this.restored.isWhole(finding);
  }

  private async compare(): Promise<void> {
    try {
      await this.check.newestAnchor();
      await this.revocations.read();
      this.guard.setUncompared(null);
    } catch (error) {
      if (!(error instanceof AnchorError)) throw error;
      if (!this.guard.isUncompared)
        this.log.error(
          { err: error },
          'the anchors cannot be read: nothing is signed until they can',
        );
      this.guard.setUncompared(
        'Nothing is signed before the anchors were compared with the database, and they cannot be read now.',
      );
    }
  }
}

/** A finding as events and log lines say it. */
export const rewindData = (finding: RewindFinding) => ({
  chainKey: finding.chainKey,
  finding: finding.finding,
  localPosition: finding.localPosition,
  anchoredPosition: finding.anchoredPosition,
  anchoredHash: toHex(finding.anchoredHash),
});
