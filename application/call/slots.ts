import { NotaryError } from '../../domain/kernel/errors.ts';

/** What one key may have under way at a time. */
export const POOLS = { exports: { most: 2, retryAfter: 5 } } as const;
export type SlotPool = keyof typeof POOLS;

/** Gives a slot back. Called again, it does nothing. */
export type GiveBack = () => void;

/** Counts long answers that run at once. In the memory of this process: an answer that ends with it holds nothing. */
export class Slots {
  private readonly taken = new Map<string, number>();

  /**
   * @param holder whose slots are counted together.
   * @throws NotaryError RATE_LIMITED where all of them are taken.
   */
  take(pool: SlotPool, holder: string): GiveBack {
    const { most, retryAfter } = POOLS[pool];
    const name = `${pool}:${holder}`;
    const running = this.taken.get(name) ?? 0;
    if (running >= most)
      throw new NotaryError(
        'RATE_LIMITED',
        `This key has ${running} ${pool} under way, as many as run at once. Read one of them to its end, or break it off, and try again.`,
        { retryAfter },
      );
    this.taken.set(name, running + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.taken.get(name) ?? 1) - 1;
      if (left > 0) this.taken.set(name, left);
      else this.taken.delete(name);
    };
  }
}
