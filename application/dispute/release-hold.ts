import type { IdSource } from '../../domain/kernel/ids.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import { signalled } from '../../domain/record/settlement.ts';
import type { DeadlineRule } from '../record/deadline-rule.ts';
import type { LockedRecord } from '../record/locked-record.ts';
import { countedSignal, type TellPeer } from '../sharing/tell-peer.ts';
import type { SealSignal } from '../sealing/seal-signal.ts';

/** When the window to dispute an outcome has closed, what was held until then is released. */
export class ReleaseHold implements DeadlineRule {
  constructor(
    private readonly sealSignal: SealSignal,
    private readonly tellPeer: TellPeer,
    private readonly ids: IdSource,
  ) {}

  isDue(record: NotaryRecord, now: Date): boolean {
    return record.passedDeadline(now) === 'hold';
  }

  async apply(held: LockedRecord, requestId: string): Promise<void> {
    const { stores, record, chain } = held;
    const { record: released, signal } = signalled(
      record.released(chain.at),
      'RELEASE',
      this.ids.next(),
      null,
    );
    const after = countedSignal(released);
    await stores.records.update(after, record.state);
    const entry = await this.sealSignal.seal(stores, chain, requestId, after, signal);
    await this.tellPeer.signalled(stores, after, entry);
  }
}
