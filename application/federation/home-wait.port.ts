import type { Uuid } from '../../domain/kernel/ids.ts';

/** Waits a little for home's word on a step that was offered and committed. */
export interface HomeWait {
  /** True once the step no longer waits; false where home did not answer in time. Never throws. */
  until(recordId: Uuid, sequence: number): Promise<boolean>;
}
