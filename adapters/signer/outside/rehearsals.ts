import { AsyncLocalStorage } from 'node:async_hooks';
import type { LockedSigning } from '../../../application/sealing/locked-signing.port.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Knows which unit of work the running code belongs to. */
export class Rehearsals implements LockedSigning {
  private readonly storage = new AsyncLocalStorage<Rehearsal>();

  /** Undefined outside of a unit of work, and for what a unit started and did not wait for. */
  get current(): Rehearsal | undefined {
    const rehearsal = this.storage.getStore();
    return rehearsal?.isOver ? undefined : rehearsal;
  }

  run<T>(rehearsal: Rehearsal, work: () => Promise<T>): Promise<T> {
    return this.storage.run(rehearsal, work);
  }

  async within<T>(work: () => Promise<T>): Promise<T> {
    const rehearsal = this.current;
    if (!rehearsal) return work();
    rehearsal.isLocked = true;
    try {
      return await work();
    } finally {
      rehearsal.isLocked = false;
    }
  }
}
