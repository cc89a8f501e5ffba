import { NotaryError } from '../../domain/kernel/errors.ts';

/** Long answers of which only some may be under way. */
export type SlotPool = 'exports' | 'streams';

/** Whose answers are counted together. */
export type SlotHolder = 'key' | 'org' | 'node';

/** How many answers of each pool may be under way at a time; 0 switches a limit off. */
export type SlotLimits = {
  readonly [pool in SlotPool]: { readonly [holder in SlotHolder]: number };
};

/** Who asks: the credential, and its org if it has one. */
export interface SlotOwner {
  readonly key: string;
  readonly org: string | null;
}

const RETRY_AFTER_SECONDS = 5;

/** Gives a slot back. Called again, it does nothing. */
export type GiveBack = () => void;

const HOLDERS = ['key', 'org', 'node'] as const satisfies readonly SlotHolder[];

/** Counts long answers that run at once. In the memory of this process: an answer that ends with it holds nothing. */
export class Slots {
  private readonly taken = new Map<string, number>();

  constructor(private readonly limits: SlotLimits) {}

  /** @throws NotaryError RATE_LIMITED if all slots of the key, of its org or of this node are taken. */
  take(pool: SlotPool, { key, org }: SlotOwner): GiveBack {
    const ids = { key, org, node: '' };
    const names = HOLDERS.flatMap((holder) => {
      const id = ids[holder];
      if (id === null) return [];
      const name = `${pool} ${holder} ${id}`;
      const running = this.taken.get(name) ?? 0;
      const most = this.limits[pool][holder];
      if (most > 0 && running >= most) throw allTaken(pool, holder, running);
      return [name];
    });
    for (const name of names) this.taken.set(name, (this.taken.get(name) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const name of names) this.release(name);
    };
  }

  private release(name: string): void {
    const left = (this.taken.get(name) ?? 1) - 1;
    if (left > 0) this.taken.set(name, left);
    else this.taken.delete(name);
  }
}

const WHOSE = {
  key: 'This key has',
  org: 'The keys of this org have',
  node: 'This node has',
} as const satisfies Record<SlotHolder, string>;

const allTaken = (pool: SlotPool, holder: SlotHolder, running: number): NotaryError =>
  new NotaryError(
    'RATE_LIMITED',
    `${WHOSE[holder]} ${running} ${pool} under way, as many as run at once. ${holder === 'node' ? 'Try again in a while.' : 'Read one of them to its end, or break it off, and try again.'}`,
    { retryAfter: RETRY_AFTER_SECONDS },
  );
