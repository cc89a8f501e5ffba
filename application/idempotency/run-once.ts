import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { CallContext, OnceKey } from '../../domain/identity/caller.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../unit-of-work.port.ts';
import type { IdempotencyReads, KeptAnswer } from './idempotency-store.port.ts';

/** Another call under the same Idempotency-Key committed first; its kept answer is the answer to this one too. */
export class OnceConflict extends Error {
  override readonly name = 'OnceConflict';
}

/**
 * Runs a unit of work so that a repeated Idempotency-Key never acts twice: the answer is written in the same
 * transaction as the effect. Every mutating use case runs its work through here.
 */
export class RunOnce {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: IdempotencyReads,
    private readonly clock: Clock,
  ) {}

  find(scope: Uint8Array): Promise<KeptAnswer | null> {
    return this.reads.find(scope);
  }

  /** @throws OnceConflict where another call under the same key was faster. */
  async execute<T>(context: CallContext, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { once } = context;
    if (!once) return this.unitOfWork.transaction(work);
    return this.guarded(once, async (stores) => {
      const result = await work(stores);
      await stores.idempotency.insert(this.kept(once, once.render(result)));
      return result;
    });
  }

  /** A further unit of work of the same call: its answer takes the place of the one kept before. */
  again<T>(context: CallContext, work: (stores: Stores) => Promise<T>): Promise<T> {
    const { once } = context;
    return this.unitOfWork.transaction(async (stores) => {
      const result = await work(stores);
      if (once) await stores.idempotency.replace(this.kept(once, once.render(result)));
      return result;
    });
  }

  /** Keeps an answer that has no effect of its own to commit with. A concurrent one is as good. */
  async keep(once: OnceKey, answer: string): Promise<void> {
    try {
      await this.unitOfWork.transaction((stores) => stores.idempotency.insert(this.kept(once, answer)));
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
    }
  }

  private async guarded<T>(once: OnceKey, work: (stores: Stores) => Promise<T>): Promise<T> {
    try {
      return await this.unitOfWork.transaction(work);
    } catch (error) {
      // Which key was taken is the database's to word; whether an answer was kept meanwhile is certain.
      if (error instanceof DuplicateError && (await this.reads.find(once.scope))) throw new OnceConflict('answered under the same key', { cause: error });
      throw error;
    }
  }

  private kept(once: OnceKey, answer: string): KeptAnswer {
    return { scope: once.scope, bodyHash: once.bodyHash, answer, createdAt: this.clock.now().toISOString() };
  }
}
