import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import { withContents, type LargeContents } from '../record/large-contents.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { RecordChains } from '../sealing/record-chains.ts';
import type { SealCheckpoint } from '../sealing/seal-checkpoint.ts';
import type { Traced } from '../ports/tracer.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

/** A record as it was when its chain ended here. */
export interface ClosedChain {
  readonly record: RecordState;
  readonly head: ChainHead;
  readonly checkpoint: Checkpoint;
}

/** Closes what is exported. */
export class CloseChain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly recordChains: RecordChains,
    private readonly sealCheckpoint: SealCheckpoint,
    private readonly largeContents: LargeContents,
  ) {}

  /** Locks the record and its chain, makes sure that they agree, and finds or signs the checkpoint of the head. */
  of(recordId: Uuid, call?: Traced): Promise<ClosedChain> {
    return this.largeContents.whileNeeded((contents) =>
      this.unitOfWork.transaction(async (stores) => {
        const found = await stores.records.lock(recordId);
        if (!found) throw payloadDrift(recordId, 'missing row');
        const record = withContents(found.record, contents);
        const { head, at } = await this.recordChains.lock(stores, record);
        if (!head) throw payloadDrift(recordId, 'missing chain');
        return { record, head, checkpoint: await this.sealCheckpoint.covering(stores, head, at) };
      }, call),
    );
  }
}
