import { NotaryError } from '../../domain/kernel/errors.ts';

/** Long answers of which one key may have only some under way. */
export type SlotPool = 'exports' | 'streams';

/** How many of each one key may have under way at a time; 0 switches the limit off. */
export type SlotLimits = { readonly [pool in SlotPool]: number };

const RETRY_AFTER_SECONDS = 5;

/** Gives a slot back. Called again, it does nothing. */
export type GiveBack = () => void;

/** Counts long answers that run at once. In the memory of this process: an answer that ends with it holds nothing. */
export class Slots {
  private readonly taken = new Map<string, number>();

  constructor(private readonly limits: SlotLimits) {}

  /**
   * @param holder whose slots are counted together.
   * @throws NotaryError RATE_LIMITED where all of them are taken.
   */
  take(pool: SlotPool, holder: string): GiveBack {
    const most = this.limits[pool];
    const name = `${pool}:${holder}`;
    const running = this.taken.get(name) ?? 0;
    if (most > 0 && running >= most)
      throw new NotaryError(
        'RATE_LIMITED',
        `This key has ${running} ${pool} under way, as many as run at once. Read one of them to its end, or break it off, and try again.`,
        { retryAfter: RETRY_AFTER_SECONDS },
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
