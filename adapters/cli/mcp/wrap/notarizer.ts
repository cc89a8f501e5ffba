import { randomUUID } from 'node:crypto';
import { reasonOf } from '../../input-error.ts';
import type { Sender } from './sender.ts';
import type { Spool } from './spool.ts';
import type { Fact } from './tool-calls.ts';

export type OnUnavailable = 'block' | 'queue';

export interface NotarizerOptions {
  readonly type: string;
  readonly onUnavailable: OnUnavailable;
  /** How long a call or a result is held, ms. */
  readonly patienceMs: number;
}

/** Notes facts so that none is lost: on the disk first, and then with the service. */
export class Notarizer {
  /** The names of calls that have no end yet, by their numbers. */
  private readonly open = new Map<unknown, string>();

  constructor(
    private readonly spool: Pick<Spool, 'nextName' | 'add' | 'begins' | 'ends'>,
    private readonly sender: Pick<Sender, 'take' | 'sealed' | 'forget' | 'whyAway'>,
    private readonly options: NotarizerOptions,
  ) {}

  /**
   * Resolves when the fact is as safe as was asked for: sealed, or on the disk.
   *
   * @throws Error with the reason, where it is not: what it is about must not happen then, or not be told.
   */
  async note(fact: Fact): Promise<void> {
    const name = this.spool.nextName();
    if (this.options.onUnavailable === 'queue') return this.keep(name, fact);
    // Asked before it is taken: it may be sealed at once.
    const sealed = this.sender.sealed(name);
    try {
      this.keep(name, fact);
    } catch (error) {
      this.sender.forget(name);
      throw error;
    }
    await this.within(sealed).finally(() => this.sender.forget(name));
  }

  /** Keeps it without waiting for the service. */
  async keepOnly(fact: Fact): Promise<void> {
    this.keep(this.spool.nextName(), fact);
  }

  private ended(call: unknown): void {
    const name = this.open.get(call);
    this.open.delete(call);
    if (name !== undefined) this.spool.ends(name);
  }

  private async within(sealed: Promise<void>): Promise<void> {
    const { patienceMs } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const words = `the notary did not answer within ${patienceMs / 1000} s`;
      const give = (): void => {
        const why = this.sender.whyAway;
        // Whoever made the call may know what to do about it.
        reject(new Error(why === null ? words : `${words}; ${why.replace(/\.$/, '')}`));
      };
      timer = setTimeout(give, patienceMs);
    });
    await Promise.race([sealed, late]).finally(() => clearTimeout(timer));
  }

  private keep(name: string, fact: Fact): void {
    const { type } = this.options;
    const spooled = { key: randomUUID(), body: { type, criteria: fact, platform: 'mcp' } };
    const { event, call } = fact;
    if (event === 'call') {
      this.open.set(call, name);
      this.spool.begins(name);
    }
    try {
      this.spool.add(name, spooled);
      if (event === 'result') this.ended(call);
    } catch (cause) {
      // Whoever reads the reason needs it once.
      throw new Error(`the queue cannot be written: ${reasonOf(cause)}`);
    }
    this.sender.take(name, spooled);
  }
}
