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
  constructor(
    private readonly spool: Pick<Spool, 'nextName' | 'add'>,
    private readonly sender: Pick<Sender, 'kick' | 'sealed'>,
    private readonly options: NotarizerOptions,
  ) {}

  /**
   * Resolves when the fact is as safe as was asked for: sealed, or on the disk.
   *
   * @throws Error with the reason, where it is not: what it is about must not happen then, or not be told.
   */
  async note(fact: Fact): Promise<void> {
    const { onUnavailable, patienceMs } = this.options;
    if (onUnavailable === 'queue') return this.keepOnly(fact);
    const name = this.spool.nextName();
    // Before it is there: it may be sealed at once.
    const sealed = this.sender.sealed(name);
    await this.keep(name, fact);
    this.sender.kick();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`the notary did not answer within ${patienceMs / 1000} s`)),
        patienceMs,
      );
    });
    await Promise.race([sealed, late]).finally(() => clearTimeout(timer));
  }

  /** Keeps it without waiting for the service. */
  async keepOnly(fact: Fact): Promise<void> {
    await this.keep(this.spool.nextName(), fact);
    this.sender.kick();
  }

  private async keep(name: string, fact: Fact): Promise<void> {
    try {
      const { type } = this.options;
      await this.spool.add(name, { type, criteria: fact, platform: 'mcp' });
    } catch (cause) {
      throw new Error(`the queue cannot be written: ${reasonOf(cause)}`, { cause });
    }
  }
}
